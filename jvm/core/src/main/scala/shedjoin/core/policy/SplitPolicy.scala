package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

import shedjoin.core.join.Side
import shedjoin.core.{Budget, NoRow}

/** Keeps the sides apart: of the stored rows' bytes, the left ones get a fixed fraction, and what one side does not use the
  * other may. The side that has more than its part sheds, by a policy of its own.
  */
final private[policy] class SplitPolicy(fraction: Double, sides: Array[ShedPolicy], facts: RowFacts, budget: Budget)
    extends ShedPolicy {
  private val bytes = {
    budget.reserve(Budget.arrayBytes(2, 8))
    new Array[Long](2)
  }

  def advance(tick: Long): Unit = {
    sides(Side.Left).advance(tick)
    sides(Side.Right).advance(tick)
  }
  def observed(side: Int, value: Long): Unit = {
    sides(Side.Left).observed(side, value)
    sides(Side.Right).observed(side, value)
  }
  def matched(row: Int): Unit = sides(facts.side(row)).matched(row)

  def arrived(row: Int, matches: Int): Unit = {
    sides(facts.side(row)).arrived(row, matches)
    bytes(facts.side(row)) += facts.bytes(row)
  }

  def removed(row: Int): Unit = {
    bytes(facts.side(row)) -= facts.bytes(row)
    sides(facts.side(row)).removed(row)
  }

  def nextVictim(): Int = {
    val isLeft = bytes(Side.Left) > fraction * (bytes(Side.Left) + bytes(Side.Right))
    val first = sides(if (isLeft) Side.Left else Side.Right).nextVictim()
    if (first != NoRow) first else sides(if (isLeft) Side.Right else Side.Left).nextVictim()
  }

  def save(out: DataOutput): Unit = {
    bytes.foreach(out.writeLong)
    sides.foreach(_.save(out))
  }

  def restore(in: DataInput): Unit = {
    bytes.indices.foreach(bytes(_) = in.readLong())
    sides.foreach(_.restore(in))
  }

  def checkInvariants(): Unit = sides.foreach(_.checkInvariants())
}

private[policy] object SplitPolicy {
  private val Auto = "auto"

  val split: PolicyParameter[String] = PolicyParameter(
    "split",
    Split,
    Auto,
    "The fraction of memory that is the left rows'; auto: rows of both sides compete, whichever brings more."
  )

  /** The policy itself, or one for each side. */
  def apply(arguments: PolicyArguments, setting: PolicySetting)(make: PolicySetting => ShedPolicy): ShedPolicy =
    arguments(split) match {
      case Auto => make(setting)
      case fraction =>
        val sides = Array(make(setting), make(setting.copy(seed = setting.seed + 1)))
        new SplitPolicy(fraction.toDouble, sides, setting.facts, setting.budget)
    }

  private object Split extends ParameterKind[String]("auto or a number from 0 to 1") {
    def parse(text: String): Option[String] =
      Option.when(text == Auto || text.toDoubleOption.exists(x => x >= 0 && x <= 1))(text)
  }
}
