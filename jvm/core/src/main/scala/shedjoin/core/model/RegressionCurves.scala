package shedjoin.core.model

import shedjoin.core.Budget

/** HEEB's H where the partners' values are an AR(1) stream (h2 of paper 3, theorem 3): a curve for each cell of the
  * partners' latest value, over the distance of a row's value from what is expected next.
  *
  * Measured from there, the curves change slowly with the latest value, be phi near 0 or near 1. They are drawn from a
  * bicubic surface, for H at a point takes as many steps as the stream remembers. Latest values farther than `Deviations`
  * from the level count as those at that edge.
  */
final class RegressionCurves(model: AutoRegression) {
  import RegressionCurves._

  private val lowest = model.level - Deviations * model.farSpread
  private val width = 2 * Deviations * model.farSpread / Cells

  /** One a cell. The horizon must end. O(cells^2 + memory). */
  def curves(horizon: Horizon, budget: Budget): Array[GridCurve] =
    curves(horizon, budget, model.benefit(_, _, horizon))

  /** Those of rows of a relation, which are supplied anew at each use: H of a first use ([[FirstUse]]). */
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
    val (low, high) = reached(horizon)
    val controls = math.min(MostControls, 5 + (6 * (high - low) / model.deviation).toInt)
    val surface =
      BenefitSurface.of(lowest, -lowest + 2 * model.level, Controls, low, high, controls, Budget.unlimited) {
        (latest, offset) => benefit(offset + model.mean(latest, 1), latest)
      }
    val step = 1 + ((high - low) / MostCells).toLong
    val from = math.floor(low).toLong
    val count = 1 + ((high - from) / step).toInt
    Array.tabulate(Cells) { cell =>
      val latest = lowest + (cell + .5) * width
      val worths = Array.tabulate(count)(i => surface.at(latest, from + i * step + (step - 1) / 2.0))
      new GridCurve(step, from, worths, budget)
    }
  }

  /** The curve for a latest value. O(1). */
  def cell(latest: Long): Int = math.min(math.max(((latest - lowest) / width).toInt, 0), Cells - 1)

  /** From where its offsets count. O(1). */
  def origin(latest: Long): Long = math.round(model.mean(latest.toDouble, 1))

  /** The offsets at which partners may come. */
  private def reached(horizon: Horizon): (Double, Double) = {
    val steps = math.min(horizon.reach, model.memory.toLong).toInt
    val far = Seq(lowest, 2 * model.level - lowest).flatMap { latest =>
      (1 to steps).flatMap { d =>
        val center = model.mean(latest, d) - model.mean(latest, 1)
        Seq(center - Tail * model.spread(d), center + Tail * model.spread(d))
      }
    }
    (far.min - 1, far.max + 1)
  }
}

object RegressionCurves {
  private val Deviations = 4.0
  private val Tail = 6.0
  private val Cells = 32
  private val Controls = 17
  private val MostControls = 513
  private val MostCells = 512L

  /** The most that the curves take. */
  val mostBytes: Long = Cells * GridCurve.bytes(MostCells.toInt + 2)
}
