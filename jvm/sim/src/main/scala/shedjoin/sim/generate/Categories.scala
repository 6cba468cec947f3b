package shedjoin.sim.generate

import java.util.SplittableRandom

import shedjoin.sim.{Trace, TraceSide}

/** Streams like those of paper 2, section 5: categories on both sides, each with an importance from 1 to 100. The paper tells
  * no more than that; a step is a second here, with one row a side, which is what its counts of invocations and of results
  * come to.
  *
  * @param domain how many categories there are
  * @param isWeighted whether categories differ in importance; else that of all is 50
  * @param round how many steps a drift takes once round the domain
  */
final case class Categories(domain: Int, isWeighted: Boolean, round: Int, steps: Int, seed: Long) {
  import Categories._

  private val random = new SplittableRandom(seed)
  private val importances = Array.fill(domain)(if (isWeighted) random.nextDouble(1, 100) else 50.0)

  /** Each category is as likely as any other, at any time. */
  def uniform: Trace = trace(_ => () => random.nextInt(domain))

  /** Zipf's law of exponent 1, alike on both sides, at any time. */
  def zipf: Trace = {
    val order = Windowed.shuffled(domain, random)
    val draw = new Noises.Draw((1 to domain).map(1.0 / _).toArray)
    trace(_ => () => order(draw.next(random)))
  }

  /** What is common moves: normal around a centre that goes round the domain, a twelfth of it wide. */
  def drift: Trace = trace { step =>
    val centre = domain * (step % round) / round.toDouble
    () => Math.floorMod(math.round(centre + random.nextGaussian() * domain / Width), domain)
  }

  /** Half of the rows are of one category, another one every 10 to 30 steps. */
  def bursts: Trace = {
    var until = 0
    var hot = 0
    trace { step =>
      if (step >= until) {
        until = step + random.nextInt(10, 31)
        hot = random.nextInt(domain)
      }
      () => if (random.nextBoolean()) hot else random.nextInt(domain)
    }
  }

  /** One row a side and step, as `at` draws them. */
  private def trace(at: Int => () => Int): Trace = {
    val keys = Array.ofDim[Long](2, steps)
    (0 until steps).foreach { step =>
      val draw = at(step)
      keys.foreach(_(step) = draw().toLong)
    }
    val times = Array.tabulate(steps)(_.toLong)
    val sides = keys.map(side => TraceSide.keyed(times, side, side, side.map(key => importances(key.toInt))))
    Trace(sides(0), sides(1), isStepwise = true)
  }
}

object Categories {
  private val Width = 12.0
}
