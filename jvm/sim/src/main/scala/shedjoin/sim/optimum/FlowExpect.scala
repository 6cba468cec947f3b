package shedjoin.sim.optimum

import scala.collection.mutable

import shedjoin.core.NoRow
import shedjoin.core.join.Side
import shedjoin.core.policy.{RowFacts, ShedPolicy}
import shedjoin.sim.{Memory, ReferencePolicy, RunPolicy, SimSettings}

/** FLOWEXPECT (paper 3, section 4): at each step sheds as the best plan for the next `lookahead` steps says, of those plans
  * that are fixed beforehand.
  *
  * A plan is a flow of greatest expected gain, as that of [[OptimumGraph]]; rows to come take part in it by how likely their
  * values are. Scans all rows: O(memory x lookahead x (memory + lookahead)) a step.
  */
final class FlowExpect(forecast: () => Forecast, lookahead: Int, settings: SimSettings) extends ReferencePolicy {
  require(lookahead >= 1, s"a lookahead of $lookahead steps; it must be at least 1")

  private val memory = settings.memory match {
    case Memory.Shared(rows) => rows
    case Memory.Apart(left, right) =>
      throw new IllegalArgumentException(
        s"[SHEDJOIN_INVALID_OPTION] FLOWEXPECT shares the memory between both sides; given is $left and $right rows. " +
          "Give one number of rows."
      )
  }

  def over(rows: RowFacts, placeOf: Int => Int): ShedPolicy =
    new FlowExpectPolicy(rows, forecast(), lookahead, memory, settings)
}

final private[optimum] class FlowExpectPolicy(
    rows: RowFacts,
    forecast: Forecast,
    lookahead: Int,
    memory: Int,
    settings: SimSettings
) extends RunPolicy {
  private val stored = mutable.HashSet.empty[Int]

  /** The rows that the plan does not keep, in the order in which they go; none where there is no plan. */
  private var doomed = Option.empty[List[Int]]

  override def advance(tick: Long): Unit = {
    super.advance(tick)
    doomed = None
  }

  override def observed(side: Int, value: Long): Unit = forecast.observed(side, value)

  def arrived(row: Int, matches: Int): Unit = {
    stored += row
    doomed = None
  }

  def removed(row: Int): Unit = {
    stored -= row
    doomed = doomed.map(_.filter(_ != row))
  }

  def nextVictim(): Int =
    if (stored.isEmpty) NoRow
    else {
      if (doomed.forall(_.isEmpty)) doomed = Some(planned()._2)
      doomed.flatMap(_.headOption).getOrElse(NoRow)
    }

  /** The expected gain of the best plan, and the rows that it does not keep now; those of least benefit first. */
  def planned(): (Double, List[Int]) = {
    val candidates = stored.toArray.sortWith((a, b) => rows.compareTied(a, b) < 0)
    val benefits = candidates.map(benefit)
    val flow = new GainFlow(lookahead + 1 + (candidates.length + 2 * lookahead) * lookahead)
    val paths = new Paths(flow)
    (0 until lookahead).foreach(t => flow.add(t, t + 1, memory, 0))
    val firsts = benefits.map(paths.add(0, _))
    for (side <- Seq(Side.Left, Side.Right); ahead <- 1 until lookahead) paths.add(ahead, benefitOfComing(side, ahead))
    val gain = flow.send(0, lookahead, memory)
    val gone = candidates.indices.filter(i => firsts(i) == GainFlow.NoArc || flow.flow(firsts(i)) == 0)
    (Expected.rows(gain), gone.sortBy(i => benefits(i).sum).map(candidates(_)).toList)
  }

  /** How many partners a stored row expects at each of the next steps. */
  private def benefit(row: Int): Array[Double] = {
    val partners = Side.other(rows.side(row))
    val life = rows.lifeLeft(row, tick)
    Array.tabulate(lookahead) { i =>
      if (i + 1 > life || !settings.count.side(partners)) 0
      else forecast.coming(partners, tick, i + 1)(rows.value(row))
    }
  }

  /** How many a row expects that comes `ahead` steps from now, after that. */
  private def benefitOfComing(side: Int, ahead: Int): Array[Double] = {
    val partners = Side.other(side)
    val coming = forecast.coming(side, tick, ahead)
    Array.tabulate(lookahead) { i =>
      if (i + 1 <= ahead || i + 1 - ahead > settings.within.life(side) || !settings.count.side(partners)) 0
      else coming.meets(forecast.coming(partners, tick, i + 1))
    }
  }

  /** The ways of rows through the steps to come; node `t`, up to `lookahead`, is the memory after the cut of step `t`. */
  final private class Paths(flow: GainFlow) {
    private var node = lookahead

    /** A row that comes at step `from`, by what it gains at each step after 0; its first arc. */
    def add(from: Int, gains: Array[Double]): Int = {
      var at = from
      var first = GainFlow.NoArc
      gains.indices.filter(i => Expected.whole(gains(i)) > 0).foreach { i =>
        node += 1
        val arc = flow.add(at, node, 1, Expected.whole(gains(i)))
        flow.add(node, i + 1, 1, 0)
        if (first == GainFlow.NoArc) first = arc
        at = node
      }
      first
    }
  }
}

/** Expected rows as whole numbers of small parts of a row. */
private object Expected {
  private val Unit = (1L << 40).toDouble
  def whole(gain: Double): Long = math.round(gain * Unit)
  def rows(whole: Long): Double = whole / Unit
}
