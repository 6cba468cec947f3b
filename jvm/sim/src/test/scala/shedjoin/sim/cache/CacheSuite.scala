package shedjoin.sim.cache

import java.util.{LinkedHashMap => JLinkedHashMap, Map => JMap}

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.policy.{PolicyException, PolicyRegistry}
import shedjoin.sim._
import shedjoin.sim.generate.Noises
import shedjoin.sim.optimum.Optimum

class CacheSuite extends AnyFunSuite with Seeded {

  private def hits(
      references: Array[Long],
      rows: Int,
      policy: String,
      settings: Map[String, String] = Map.empty
  ): Array[Byte] = {
    val run = new CacheRun(references, rows, policy, settings, seed = 1)
    while (run.referencesDone < references.length) run.run(5)
    run.hits
  }

  private def count(hits: Array[Byte]): Int = hits.map(_.toInt).sum

  private def references(random: Random, most: Int, values: Int): Array[Long] = {
    val skew = 1 + random.nextInt(3)
    Array.fill(random.nextInt(most))((values * math.pow(random.nextDouble(), skew.toDouble)).toLong)
  }

  test("LRU hits as a LinkedHashMap in the order of access does") {
    histories(200) { random =>
      val stream = references(random, 300, 12)
      val rows = 1 + random.nextInt(8)
      val model = new JLinkedHashMap[Long, Unit](16, .75f, true) {
        override def removeEldestEntry(eldest: JMap.Entry[Long, Unit]): Boolean = size > rows
      }
      val modelled = stream.map { value =>
        val isThere = model.containsKey(value)
        if (isThere) model.get(value) else model.put(value, ())
        (if (isThere) 1 else 0).toByte
      }
      assert(hits(stream, rows, "lru").sameElements(modelled))
    }
  }

  test("LFU counts all references of a row; of rows referenced as often the one fetched first goes") {
    histories(200) { random =>
      val stream = references(random, 300, 12)
      val rows = 1 + random.nextInt(8)
      val used = mutable.Map.empty[Long, Int].withDefaultValue(0)
      val fetched = mutable.Map.empty[Long, Int]
      val modelled = stream.zipWithIndex.map { case (value, now) =>
        used(value) += 1
        val isThere = fetched.contains(value)
        if (!isThere) fetched(value) = now
        if (fetched.size > rows) fetched -= fetched.keys.minBy(v => (used(v), fetched(v)))
        (if (isThere) 1 else 0).toByte
      }
      assert(hits(stream, rows, "lfu").sameElements(modelled))
    }
  }

  /** The most hits there can be, by all choices of what to cache. */
  private def best(stream: Array[Long], rows: Int): Int = {
    val known = mutable.Map.empty[(Int, Set[Long]), Int]
    def from(at: Int, cached: Set[Long]): Int =
      if (at == stream.length) 0
      else
        known.getOrElseUpdate(
          (at, cached), {
            val candidates = cached + stream(at)
            val hit = if (cached(stream(at))) 1 else 0
            hit + candidates.subsets(math.min(rows, candidates.size)).map(from(at + 1, _)).max
          }
        )
    from(0, Set.empty)
  }

  test("LFD has as many hits as the best of all choices") {
    histories(300) { random =>
      val stream = references(random, 16, 5)
      val rows = random.nextInt(4)
      assert(count(hits(stream, rows, "lfd")) == best(stream, rows))
    }
  }

  test("LFD's hits are the optimum of the join to which paper 3, section 3.1, reduces the cache") {
    histories(100) { random =>
      val stream = references(random, 120, 15)
      val rows = random.nextInt(6)
      // The i-th reference of a value, and the supply that its i-th reference leaves.
      val seen = mutable.Map.empty[Long, Long].withDefaultValue(0)
      val (referencing, supplied) = stream.map { value =>
        seen(value) += 1
        (1000 * value + seen(value) - 1, 1000 * value + seen(value))
      }.unzip
      val how = SimSettings("oldest_first", memory = Memory.Shared(rows))
      assert(count(hits(stream, rows, "lfd")) == Optimum.outputs(Trace.ofSteps(referencing, supplied), how))
    }
  }

  test("every policy of the registry runs a cache, and none has more hits than LFD") {
    val probabilities = Map("probabilities" -> "0.5 0.3 0.2")
    val all = PolicyRegistry.all.map(_.name -> Map.empty[String, String]) :+ ("a0" -> probabilities)
    histories(20) { random =>
      val stream = references(random, 400, 20)
      val rows = random.nextInt(9)
      val most = count(hits(stream, rows, "lfd"))
      all.foreach { case (name, settings) => assert(count(hits(stream, rows, name, settings)) <= most, name) }
    }
  }

  test("A0, and HEEB for stationary references, keep the rows that are referenced most likely") {
    val weights = Array.tabulate(50)(v => 1.0 / (v + 1))
    val probabilities = weights.map(_ / weights.sum)
    val draw = new Noises.Draw(probabilities)
    val random = new java.util.SplittableRandom(5)
    val stream = Array.fill(40000)(draw.next(random).toLong)
    val told = probabilities.mkString(" ")
    val a0 = hits(stream, 10, "a0", Map("probabilities" -> told))
    assert(hits(stream, 10, "heeb", Map("right_rates" -> told)).sameElements(a0))
    // Once they are there: the nine likeliest, and the tenth row of memory holds what came last or the tenth.
    val said = probabilities.take(10).sum
    val found = a0.drop(10000).map(_.toInt).sum / 30000.0
    assert(math.abs(found - said) < 3 * math.sqrt(said * (1 - said) / 30000))
    assert(count(a0) > count(hits(stream, 10, "lru")))
  }

  test("along a trend HEEB has more hits than LRU, LFU and random; with uniform noise it sheds the least value") {
    val random = new java.util.SplittableRandom(6)
    val noises = Map("uniform" -> Noises.uniform(10), "normal" -> Noises.normal(3, 10))
    noises.foreach { case (name, noise) =>
      val draw = new Noises.Draw(noise.probabilities)
      val stream = Array.tabulate(20000)(t => t / 2 + noise.first + draw.next(random).toLong)
      val heeb = Map("model" -> "trend", "alpha" -> "8", "left_slope" -> "0.5") ++
        Map("left_noise" -> noise.probabilities.mkString(" "))
      val found = hits(stream, 6, "heeb", heeb)
      Seq("random", "lru", "lfu", "prob").foreach { other =>
        assert(count(found) > count(hits(stream, 6, other)), s"$name: $other")
      }
      if (name == "uniform") {
        val cached = mutable.Set.empty[Long]
        val least = stream.map { value =>
          val isThere = cached(value)
          cached += value
          if (cached.size > 6) cached -= cached.min
          (if (isThere) 1 else 0).toByte
        }
        assert(math.abs(count(found) - count(least)) < .01 * count(least), s"${count(found)} ${count(least)}")
      }
    }
  }

  test("on a walk without drift HEEB sheds the value farthest from the latest reference") {
    val step = Noises.normal(1, 6)
    val draw = new Noises.Draw(step.probabilities)
    val random = new java.util.SplittableRandom(7)
    val stream = Array.fill(20000)(step.first + draw.next(random).toLong).scanLeft(0L)(_ + _).tail
    val cached = mutable.Set.empty[Long]
    val nearest = stream.map { value =>
      val isThere = cached(value)
      cached += value
      if (cached.size > 10) cached -= cached.maxBy(v => math.abs(v - value))
      if (isThere) 1 else 0
    }.sum
    val heeb = Map("model" -> "walk", "alpha" -> "10", "left_step" -> step.probabilities.mkString(" "))
    val found = count(hits(stream, 10, "heeb", heeb))
    // Only ties, of a value on either side, are settled otherwise.
    assert(math.abs(found - nearest) < .01 * nearest, s"$found, nearest $nearest")
    assert(found > count(hits(stream, 10, "lru")))
  }

  test("on an AR(1) stream HEEB has more hits than LRU, LFU and random, and fewer than LFD") {
    val random = new java.util.Random(8)
    var latest = 200.0
    val stream = Array.fill(4000) {
      latest = .72 * latest + 56 + 42 * random.nextGaussian()
      math.round(latest)
    }
    val ar1 = Map("model" -> "ar1", "left_phi" -> "0.72", "left_constant" -> "56", "left_deviation" -> "42")
    Seq(20, 60, 120).foreach { rows =>
      val heeb = count(hits(stream, rows, "heeb", ar1 + ("alpha" -> s"$rows")))
      Seq("random", "lru", "lfu").foreach(other =>
        assert(heeb > count(hits(stream, rows, other)), s"$rows rows, $other")
      )
      assert(heeb < count(hits(stream, rows, "lfd")))
    }
  }

  test("policies and settings that are not there are refused") {
    def refused(policy: String, settings: (String, String)*): Unit = {
      assertThrows[PolicyException](hits(Array(1), 1, policy, settings.toMap))
      ()
    }
    refused("best")
    refused("a0")
    refused("lfd", "alpha" -> "1")
    refused("heeb", "model" -> "trend", "right_slope" -> "1")
  }
}
