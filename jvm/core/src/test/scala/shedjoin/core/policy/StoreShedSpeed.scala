package shedjoin.core.policy

import java.lang.management.ManagementFactory
import java.util.SplittableRandom

import shedjoin.core.Budget

/** Measures what it costs a policy to store a row and to shed another, where a million are stored: nanoseconds of a
  * processor, mean of laps. Not a test: `core/Test/runMain shedjoin.core.policy.StoreShedSpeed`, with the names of some
  * policies or models.
  */
object StoreShedSpeed {
  private val rows = 1 << 20
  private val noise = 2001
  private val threads = ManagementFactory.getThreadMXBean

  /** Whether rows differ in importance: where `weighted` is among the names. */
  private var isWeighted = false

  final private class Rows extends RowFacts {
    val sides = new Array[Int](rows)
    val values, lasts = new Array[Long](rows)
    def side(row: Int): Int = sides(row)
    def key(row: Int): Int = values(row).toInt & 0xffff
    def value(row: Int): Long = values(row)
    def lastTick(row: Int): Long = lasts(row)
    def importance(row: Int): Double = if (isWeighted) (1 + values(row) * values(row) % 97).toDouble else 1
    def compareContent(a: Int, b: Int): Int = Integer.compare(a, b)
  }

  final private class Store(spec: PolicySpec, settings: Map[String, String]) {
    private val facts = new Rows
    private val random = new SplittableRandom(1)
    private val policy = spec(settings, PolicySetting(facts, Budget.unlimited, 1))
    private var tick = 0L
    policy.advance(tick)
    (0 until rows).foreach { id =>
      pass()
      put(id)
    }

    private def pass(): Unit = {
      tick += 1
      policy.advance(tick)
    }

    /** Values around a trend that rises by 1 in 1000 ticks; a row comes a tick. */
    private def put(id: Int): Unit = {
      facts.sides(id) = random.nextInt(2)
      facts.values(id) = tick / 1000 + random.nextInt(noise) - noise / 2
      facts.lasts(id) = tick + 1 + random.nextInt(4 * rows)
      policy.observed(facts.sides(id), facts.values(id))
      policy.arrived(id, 0)
    }

    def lap(times: Int): Double = {
      val start = threads.getCurrentThreadCpuTime
      var i = 0
      while (i < times) {
        pass()
        val victim = policy.nextVictim()
        policy.removed(victim)
        put(victim)
        i += 1
      }
      (threads.getCurrentThreadCpuTime - start).toDouble / times
    }
  }

  private def even(count: Int): String = Seq.fill(count)(1.0 / count).mkString(" ")

  private val standard: Seq[(String, Map[String, String])] = Seq(
    "random" -> Map.empty,
    "oldest_first" -> Map.empty,
    "prob" -> Map.empty,
    "age" -> (Map("left_curve" -> "1 4 9 16 9 4 1", "right_curve" -> "9 4 1") ++
      Map("left_window" -> "4000000", "right_window" -> "4000000")),
    "age" -> (Map("left_curve" -> "1 4 9 16 9 4 1", "right_curve" -> "9 4 1") ++
      Map("left_window" -> "1000", "right_window" -> "1000")),
    "age" -> Map.empty,
    "hottest_key" -> Map.empty,
    "life" -> Map("left_rates" -> even(noise), "right_rates" -> even(noise), "first_value" -> s"${-noise / 2}"),
    "heeb" -> Map("alpha" -> "100000"),
    "heeb" -> (Map("model" -> "trend", "ticks_a_step" -> "1000", "left_slope" -> "1", "right_slope" -> "1") ++
      Map("left_noise" -> even(noise), "right_noise" -> even(noise))),
    "heeb" -> Map("model" -> "walk", "alpha" -> "20", "left_step" -> even(11), "right_step" -> even(11)),
    "heeb" -> (Map("model" -> "ar1", "left_phi" -> ".9", "right_phi" -> ".7") ++
      Map("left_deviation" -> "300", "right_deviation" -> "300", "alpha" -> "30")),
    "hist" -> Map("trend_memory" -> "5000")
  )

  def main(arguments: Array[String]): Unit = {
    isWeighted = arguments.contains("weighted")
    val names = arguments.toSeq.filter(_ != "weighted")
    val asked =
      names.flatMap(name => standard.filter(one => one._1 == name || one._2.get("model").contains(name)))
    (if (names.isEmpty) standard else asked).foreach { case (name, settings) =>
      val store = new Store(PolicyRegistry(name), settings)
      val laps = Seq.fill(5)(store.lap(100000)).drop(2)
      val model = settings.getOrElse("model", settings.getOrElse("left_window", ""))
      println(f"$name $model: ${laps.sum / laps.size}%.0f ns, least ${laps.min}%.0f ns")
    }
  }
}
