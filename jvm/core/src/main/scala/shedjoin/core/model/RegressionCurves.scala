package shedjoin.core.model

import shedjoin.core.Budget

/** HEEB's H where the partners' values are an AR(1) stream (h2 of paper 3, theorem 3): a curve for each cell of the
  * partners' latest value, over the distance of a row's value from what is expected next.
  *
  * Measured from there, the curves change slowly with the latest value, be phi near 0 or near 1. What is expected next is
  * no whole number, so distances are told in parts of one. The curves are drawn from a bicubic surface, for H at a point
  * takes as many steps as the stream remembers; its control points lie densely enough for the narrowest hill that moves
  * with the latest value. Latest values farther than `Deviations` from the level count as those at that edge.
  */
final class RegressionCurves(model: AutoRegression, cells: Int = RegressionCurves.MostCells) {
  import RegressionCurves._

  private val lowest = model.level - Deviations * model.farSpread
  private val width = 2 * Deviations * model.farSpread / cells

  /** One a cell. The horizon must end. O(controls * memory + cells). */
  def curves(horizon: Horizon, budget: Budget): Array[GridCurve] =
    curves(horizon, budget, model.benefit(_, _, horizon))

  /** Those of rows of a relation, which are supplied anew at each use: H of a first use ([[CacheWorth]]). */
  def cachedCurves(alpha: Double, budget: Budget): Array[GridCurve] = {
    val horizon = Horizon.Decay(alpha)
    curves(
      horizon,
      budget,
      (value, latest) => model.benefit(value, latest, horizon) / (1 + model.benefit(value, value, horizon))
    )
  }

  private def curves(horizon: Horizon, budget: Budget, benefit: (Double, Double) => Double): Array[GridCurve] = {
    require(horizon.reach != Horizon.Endless, "an AR(1) stream comes back to every value for ever")
    val steps = math.min(horizon.reach, model.memory.toLong).toInt
    val middles = Array.tabulate(cells)(cell => lowest + (cell + .5) * width)
    val reaches = middles.map(reached(_, steps))
    val (low, high) = (reaches.map(_._1).min, reaches.map(_._2).max)
    val across = math.min(MostAcross, 5 + (6 * (high - low) / model.deviation).toInt)
    val surface =
      BenefitSurface.of(lowest, -lowest + 2 * model.level, along(steps), low, high, across, Budget.unlimited) {
        (latest, offset) => benefit(offset + model.mean(latest, 1), latest)
      }
    middles.zip(reaches).map { case (latest, (from, to)) => curve(surface, latest, from, to, budget) }
  }

  private def curve(surface: BenefitSurface, latest: Double, from: Double, to: Double, budget: Budget): GridCurve = {
    val first = math.floor(from * Parts).toLong
    val step = 1 + ((to - from) * Parts / CurveCells).toLong
    val count = 1 + (((to - from) * Parts) / step).toInt
    val worths = Array.tabulate(count)(i => surface.at(latest, (first + i * step + (step - 1) / 2.0) / Parts))
    new GridCurve(step, first, worths, budget)
  }

  /** How many control points there are along the latest value: where the hill of a step moves on by half its width. */
  private def along(steps: Int): Int = {
    val nearest = (2 to math.min(steps, Near)).map(d => model.spread(d) / math.abs(moved(d))).minOption
    val wanted = nearest.fold(0.0)(2 * Deviations * model.farSpread / .5 / _)
    math.max(LeastAlong, math.min(MostAlong, 1 + wanted.toInt))
  }

  /** How far the hill of a step moves, from what is expected next, for each 1 of the latest value. */
  private def moved(step: Int): Double = math.pow(model.phi, step.toDouble) - model.phi

  /** The offsets at which partners may come after a value. */
  private def reached(latest: Double, steps: Int): (Double, Double) = {
    val centers = Seq(1, math.min(2, steps), steps).map(moved(_) * (latest - model.level))
    val tail = Tail * model.spread(steps)
    (math.min(0, centers.min) - tail - 1, math.max(0, centers.max) + tail + 1)
  }

  /** The curve for a latest value. O(1). */
  def cell(latest: Long): Int = math.min(math.max(((latest - lowest) / width).toInt, 0), cells - 1)

  /** Where a value lies, and from where its offsets count, both in parts of a whole number. O(1). */
  def coordinate(value: Long): Long = math.max(-Farthest, math.min(value, Farthest)) * Parts
  def origin(latest: Long): Long = math.round(model.mean(latest.toDouble, 1) * Parts)
}

object RegressionCurves {
  private val Deviations = 4.0
  private val Tail = 5.0
  private val Parts = 16L

  /** Beyond lies nothing. */
  private val Farthest = Long.MaxValue / 8 / Parts

  /** How many control points there are. */
  private val LeastAlong = 17
  private val MostAlong = 65
  private val MostAcross = 769

  /** Later hills move no farther, and are wider. */
  private val Near = 64
  private val CurveCells = 512L
  private val LeastCells = 16
  private val MostCells = 128
  private val PartOfBudget = 16

  /** What the curves of so many cells take at most. */
  def bytes(cells: Int): Long = cells * GridCurve.bytes(CurveCells.toInt + 2)

  /** How many cells there is room for in a part of the budget, on both sides. */
  def cellsFor(budget: Budget): Int = {
    val cells = budget.limitBytes / PartOfBudget / (2 * bytes(1))
    math.max(LeastCells.toLong, math.min(java.lang.Long.highestOneBit(cells), MostCells.toLong)).toInt
  }
}
