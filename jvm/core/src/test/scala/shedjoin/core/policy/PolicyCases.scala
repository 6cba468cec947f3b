package shedjoin.core.policy

import scala.collection.mutable

import shedjoin.core.Budget
import shedjoin.core.join.Side
import shedjoin.core.model.{AutoRegression, BenefitHistogram, FadingLine, Horizon, LearnedAlpha, RegressionCurves}
import shedjoin.core.policy.PolicyCase.areAlike

/** Every policy with a rank, in several settings. The ranks are written from the definitions, row by row. */
object PolicyCases {
  private type Rank = (PolicyHistory, Int) => Double

  private def ofRow(rank: TestRow => Double): Rank = (history, id) => rank(history.rows.stored(id))

  private val rates = Seq(.1, .3, .05, .2, .3, .05)
  private def rate(row: TestRow): Double = if (row.value < rates.size) rates(row.value) else 0
  private val givenRates = Map("left_rates" -> rates.mkString(" "), "right_rates" -> rates.mkString(" "))

  /** How many partners came, each worth half as much after every `halfLife`. */
  private def seen(history: PolicyHistory, row: TestRow): Double =
    history.seen((Side.other(row.side), row.value)).map(at => math.pow(.5, (history.tick - at) / halfLife)).sum
  private val halfLife = 97.0
  private val counting = Map("half_life" -> "97")

  private def factor(row: TestRow): Double = row.importance / row.bytes

  /** Weighed as `weigh` says; what is worth nothing is worth next to nothing. Products may be rounded otherwise. */
  private def weighed(name: String)(weight: TestRow => Double)(one: PolicyCase): PolicyCase = {
    val areEqual = if (name == "nothing") one.areEqual else areAlike
    PolicyCase(one.name, one.settings ++ Option.when(name != "both")("weigh" -> name), one.precision, areEqual) {
      (h, id) =>
        (one.rank(h, id) + 1e-300) * weight(h.rows.stored(id))
    }
  }

  private def life(history: PolicyHistory, row: TestRow): Double =
    if (row.lastTick == RowFacts.Never) Long.MaxValue.toDouble else math.max(0, row.lastTick - history.tick).toDouble

  private def decayed(alpha: Double, life: Double): Double = {
    val q = math.exp(-1 / alpha)
    q * (1 - math.pow(q, life)) / (1 - q)
  }

  private def harmonic(life: Double): Double =
    if (life < 100000) (1 to life.toInt).map(1.0 / _).sum else math.log(life) + .57721566490153286

  private def rated(name: String, settings: Map[String, String], precision: Double)(
      weight: Double => Double
  ): Seq[PolicyCase] = Seq(
    PolicyCase(name, settings ++ givenRates, precision, areAlike) { (h, id) =>
      val row = h.rows.stored(id)
      rate(row) * factor(row) * weight(life(h, row))
    },
    PolicyCase(name, settings ++ counting + ("weigh" -> "nothing"), precision, areAlike) { (h, id) =>
      val row = h.rows.stored(id)
      seen(h, row) * weight(life(h, row))
    },
    PolicyCase(name, settings ++ counting, precision, areAlike) { (h, id) =>
      val row = h.rows.stored(id)
      seen(h, row) * factor(row) * weight(life(h, row))
    }
  )

  /** How far ranks are off that lie in bands of rates, and where lives weigh in bands of ranks too. */
  private val inBands = 1.0 / 256
  private val inBothBands = 1.0 / 128

  private val scores = Seq(
    PolicyCase("oldest_first", Map.empty)(ofRow(_.arrival.toDouble)),
    PolicyCase("newest_first", Map.empty)(ofRow(-_.arrival.toDouble)),
    PolicyCase("lru", Map.empty)(ofRow { row =>
      row.matches.lastOption.fold(row.arrival)(_._1).toDouble
    }),
    PolicyCase("lfu", Map.empty)(ofRow(_.matches.map(_._2).sum.toDouble)),
    PolicyCase("greedy", Map.empty)(ofRow(_.importance)),
    PolicyCase("hottest_key", Map.empty) { (h, id) =>
      val row = h.rows.stored(id)
      -h.rows.stored.values.count(_.value == row.value).toDouble
    }
  )

  private val frequencies =
    rated("prob", Map.empty, inBands)(_ => 1) ++
      rated("life", Map.empty, inBothBands)(life => life) ++
      rated("heeb", Map("alpha" -> "7"), inBothBands)(decayed(7, _)) ++
      rated("heeb", Map("horizon" -> "fixed", "horizon_steps" -> "9"), inBothBands)(math.min(_, 9)) ++
      rated("heeb", Map("horizon" -> "inf"), inBothBands)(life => life) ++
      rated("heeb", Map("horizon" -> "inv"), inBothBands)(harmonic) :+
      PolicyCase("size", counting, inBands, areAlike)((h, id) => seen(h, h.rows.stored(id)))

  /** By the definition: over all ages to come, and over the ends of the curve's parts. */
  private def agePriority(window: Int, parts: Seq[Double])(age: Long): Double = {
    def cumulative(at: Double): Double =
      parts.indices.map(i => parts(i) * math.min(math.max(at * parts.size / window - i, 0), 1)).sum
    val ends = parts.indices.map(i => (i + 1) * window.toDouble / parts.size).filter(_ > age + 1e-9)
    ends.map(end => (cumulative(end) - cumulative(age.toDouble)) / (end - age)).maxOption.getOrElse(0.0)
  }

  private val ages = for {
    (left, right) <- Seq(
      (Seq(1.0, 1, 2, 1), Seq(3.0, 0, 2, 1)),
      (Seq(1.0, 2, 3, 4), Seq(4.0, 3, 2, 1)),
      (Seq(1.0, 5, 1, 4, 2, 9, 1, 1), Seq.empty)
    )
    window <- Seq(8, 40)
  } yield PolicyCase(
    "age",
    Map("left_curve" -> left.mkString(" "), "right_curve" -> right.mkString(" ")) ++
      Map("left_window" -> window.toString, "right_window" -> window.toString)
  ) { (h, id) =>
    val row = h.rows.stored(id)
    agePriority(window, if (row.side == Side.Left) left else right)(h.tick - row.arrival)
  }

  private val noise = Map(Side.Left -> Seq(.1, .2, .4, .2, .1), Side.Right -> Seq(.5, .3, .2))
  private def around0(p: Seq[Double])(value: Long): Double =
    p.lift((value + p.size / 2).toInt).filter(_ => value + p.size / 2 >= 0).getOrElse(0.0)

  private def trended(settings: Map[String, String], left: Int, right: Int)(kept: Int => Double): PolicyCase =
    PolicyCase(
      "heeb",
      Map("model" -> "trend", "left_slope" -> s"$left", "right_slope" -> s"$right") ++ settings ++
        Map("left_start" -> "-9", "right_start" -> "-30") ++
        Map("left_noise" -> noise(Side.Left).mkString(" "), "right_noise" -> noise(Side.Right).mkString(" "))
    ) { (h, id) =>
      val row = h.rows.stored(id)
      val other = Side.other(row.side)
      def mean(t: Long): Long = if (other == Side.Left) left * t - 9 else right * t - 30
      (1 to 90).map(d => around0(noise(other))(row.value - mean(h.tick + d)) * kept(d)).sum
    }

  private val trends = Seq((1, 1), (-1, 2), (0, 1)).map { case (left, right) =>
    trended(Map("alpha" -> "3"), left, right)(d => math.exp(-d / 3.0))
  } ++ Seq(
    trended(Map("horizon" -> "fixed", "horizon_steps" -> "6"), 1, -1)(d => if (d <= 6) 1 else 0),
    trended(Map("horizon" -> "inf"), -1, 2)(_ => 1),
    trended(Map("horizon" -> "inv"), -1, 1)(d => 1.0 / d)
  )

  /** Alpha learned is that of the class that learns it, told of the same rows. */
  private val learned = PolicyCase(
    "heeb",
    Map("model" -> "trend", "alpha" -> "learned", "left_slope" -> "1", "right_slope" -> "-1") ++
      Map("left_noise" -> noise(Side.Left).mkString(" "), "right_noise" -> noise(Side.Right).mkString(" "))
  ) { (h, id) =>
    val row = h.rows.stored(id)
    val other = Side.other(row.side)
    val alpha = new LearnedAlpha
    var tick = 0L
    h.log.foreach {
      case HistoryEvent.Advanced(now) =>
        if (now > tick) alpha.settle()
        tick = now
      case HistoryEvent.Gone(gone) => alpha.observe((tick - gone.arrival).toDouble)
      case _ => ()
    }
    val slope = if (other == Side.Left) 1 else -1
    // The steps at which the noise reaches the value.
    val near = (slope * row.value - h.tick).toInt
    (math.max(1, near - 3) to near + 3).map { d =>
      around0(noise(other))(row.value - slope * (h.tick + d)) * math.exp(-d / alpha.alpha)
    }.sum
  }

  /** How likely a walk of these steps stands where after 1, 2, ... steps. */
  private val walked: Map[Int, Seq[Map[Int, Double]]] = noise.map { case (side, p) =>
    val start = Map(0 -> 1.0)
    side -> Iterator
      .iterate(start) { at =>
        at.toSeq
          .flatMap { case (v, weight) => p.indices.map(i => (v + i - p.size / 2, weight * p(i))) }
          .groupMapReduce(_._1)(_._2)(_ + _)
      }
      .slice(1, 61)
      .toSeq
  }
  private def walk(settings: Map[String, String])(kept: Int => Double): PolicyCase = {
    val benefit: Map[(Int, Int), Double] = (for {
      (side, steps) <- walked.toSeq
      (at, i) <- steps.zipWithIndex
      (value, p) <- at
    } yield ((side, value), p * kept(i + 1))).groupMapReduce(_._1)(_._2)(_ + _)
    PolicyCase(
      "heeb",
      Map("model" -> "walk") ++ settings ++
        Map("left_step" -> noise(Side.Left).mkString(" "), "right_step" -> noise(Side.Right).mkString(" ")),
      // As likely are values as far below as above, if steps are even, but for rounding.
      areEqual = areAlike
    ) { (h, id) =>
      val row = h.rows.stored(id)
      val other = Side.other(row.side)
      h.latest.get(other).fold(0.0)(x => benefit.getOrElse((other, row.value - x), 0.0))
    }
  }

  private val walks = Seq(
    walk(Map("alpha" -> "2"))(d => math.exp(-d / 2.0)),
    walk(Map("horizon" -> "fixed", "horizon_steps" -> "4"))(d => if (d <= 4) 1 else 0)
  )

  private val regressions: Map[Int, RegressionCurves] = Map(
    Side.Left -> new RegressionCurves(AutoRegression(.7, 2, 1.5)),
    Side.Right -> new RegressionCurves(AutoRegression(-.4, 8, 3))
  )
  private val regressionCurves =
    regressions.map { case (side, of) => side -> of.curves(Horizon.Decay(4), Budget.unlimited) }

  /** How near its curves are to H is tested with them. */
  private val regression = PolicyCase(
    "heeb",
    Map("model" -> "ar1", "alpha" -> "4", "left_phi" -> ".7", "left_constant" -> "2", "left_deviation" -> "1.5") ++
      Map("right_phi" -> "-.4", "right_constant" -> "8", "right_deviation" -> "3")
  ) { (h, id) =>
    val row = h.rows.stored(id)
    val other = Side.other(row.side)
    h.latest.get(other).fold(0.0) { x =>
      val of = regressions(other)
      regressionCurves(other)(of.cell(x.toLong)).at(of.coordinate(row.value.toLong) - of.origin(x.toLong))
    }
  }

  private val chances: Map[Int, Seq[Seq[Double]]] = Map(
    // Sums of these are exact, so that equals are equals.
    Side.Left -> Seq(Seq(.125, .25, .25, .375), Seq(.6875, 0, 0, .125), Seq(0, .5, .25, .125)),
    Side.Right ->
      Seq(
        Seq(.25, .125, .25, .25),
        Seq(0, .875, 0, 0),
        Seq(0, 0, .3125, .125),
        Seq(.125, .25, 0, .125),
        Seq(.5, .25, .25, 0)
      )
  )

  private def tabled(settings: Map[String, String], repeats: Boolean)(kept: Int => Double): PolicyCase = PolicyCase(
    "heeb",
    Map("model" -> "table", "table_values" -> "4", "table_first" -> "2", "table_start" -> "3", "ticks_a_step" -> "2") ++
      settings + ("table_end" -> (if (repeats) "repeat" else "nothing")) +
      ("left_table" -> chances(Side.Left).flatten.mkString(" ")) +
      ("right_table" -> chances(Side.Right).flatten.mkString(" "))
  ) { (h, id) =>
    val row = h.rows.stored(id)
    val table = chances(Side.other(row.side))
    val now = math.floor((h.tick - 3) / 2.0).toInt
    val from = if (repeats) now else math.max(now, 0)
    (1 to 120).map { d =>
      val step = if (repeats) Some(Math.floorMod(from + d, table.size)) else Some(from + d).filter(_ < table.size)
      step.flatMap(table(_).lift(row.value - 2)).getOrElse(0.0) * kept(d)
    }.sum
  }

  private val tables = Seq(
    tabled(Map("alpha" -> "3"), repeats = true)(d => math.exp(-d / 3.0)),
    tabled(Map("alpha" -> "2"), repeats = false)(d => math.exp(-d / 2.0)),
    tabled(Map("horizon" -> "fixed", "horizon_steps" -> "7"), repeats = true)(d => if (d <= 7) 1 else 0),
    tabled(Map("horizon" -> "inv"), repeats = false)(d => 1.0 / d),
    tabled(Map("horizon" -> "inf"), repeats = false)(_ => 1)
  )

  /** The histograms are those of the class that keeps them, told of the same rows; what it tells is tested with it. */
  private def hist(model: String): PolicyCase =
    PolicyCase("hist", Map("model" -> model, "buckets" -> "5", "period" -> "8")) { (h, id) =>
      val histograms = Array.fill(2)(new BenefitHistogram(5, 8, Budget.unlimited))
      val trends = Array.fill(2)(new FadingLine(500))
      val latest = mutable.HashMap.empty[Int, Long]
      val offsets = new java.util.IdentityHashMap[TestRow, Option[Long]]
      var tick = 0L
      def origin(side: Int): Option[Long] = {
        val other = Side.other(side)
        if (model == "walk") latest.get(other)
        else Option.when(latest.contains(other))(math.round(trends(other).at(tick.toDouble)))
      }
      h.log.foreach {
        case HistoryEvent.Advanced(now) => tick = now
        case HistoryEvent.Observed(side, value) =>
          latest(side) = value.toLong
          trends(side).observe(tick.toDouble, value.toDouble)
        case HistoryEvent.Stored(row) => offsets.put(row, origin(row.side).map(row.value - _))
        case HistoryEvent.Gone(row) =>
          offsets.get(row).foreach { offset =>
            histograms(row.side).observe(offset, row.metStored.toDouble, (tick - row.arrival).toDouble)
          }
      }
      val row = h.rows.stored(id)
      origin(row.side).fold(0.0) { from =>
        val histogram = histograms(row.side)
        val at = row.value - from
        (0 until histogram.size).find(b => histogram.from(b) <= at && at <= histogram.to(b)).fold(0.0)(histogram.worth)
      }
    }

  /** Rows that are not mature come last, the newest first. */
  private val unripe = 1e12

  private def ijoin(maturity: Int, patience: Int, penalty: Double, decay: Double, initial: Double = 0): PolicyCase =
    PolicyCase(
      "ijoin",
      Map("maturity" -> s"$maturity", "patience" -> s"$patience", "penalty" -> s"$penalty", "decay" -> s"$decay") +
        ("initial_priority" -> s"$initial"),
      // Of mature rows that pay the same, what they met decides, however little it is beside that.
      areEqual = (a, b, tick) =>
        tick - a.arrival <= maturity || a.matches.isEmpty && b.matches.isEmpty ||
          a.arrival == b.arrival && a.importance == b.importance && a.matches == b.matches
    ) { (h, id) =>
      val row = h.rows.stored(id)
      val age = h.tick - row.arrival
      val matches = row.matches.map { case (at, n) => n * math.exp(-decay * (h.tick - at)) }.sum
      val idle = h.tick - row.lastMatch
      if (age <= maturity) unripe - row.arrival
      else {
        val share = if (matches == 0) initial else row.importance * matches / math.max(1, age)
        share - (if (idle >= patience) penalty * idle else 0)
      }
    }

  private val ijoins = Seq(
    ijoin(2, 3, 1, .5),
    ijoin(0, 1, .01, .05),
    ijoin(1, 5, .3, .1),
    ijoin(4, 2, 0, .2),
    ijoin(3, 10, 2, 0),
    ijoin(2, 3, 1, .5, initial = .4),
    ijoin(1, 6, 0, .1, initial = .05),
    ijoin(1, 8, .02, .05, initial = .3)
  )

  private val placed = ages ++ trends ++ walks ++ tables ++ Seq(learned, regression)
  private val placedFew = Seq(ages.head, trends.head, walks.head)

  val all: Seq[PolicyCase] = scores ++ frequencies ++ placed.map(weighed("nothing")(_ => 1)) ++
    placed.map(weighed("both")(factor)) ++ placedFew.map(weighed("importance")(_.importance)) ++
    placedFew.map(weighed("bytes")(1.0 / _.bytes)) ++ Seq(hist("trend"), hist("walk")) ++ ijoins

  /** Settings without a rank that one could say in a line. */
  private val unranked: Seq[(String, Map[String, String])] = Seq(
    "random" -> Map.empty,
    "random" -> Map("split" -> "0.5"),
    "prob" -> Map("split" -> "0.3"),
    "prob" -> Map.empty,
    "age" -> Map.empty,
    "age" -> Map("left_window" -> "50", "weigh" -> "nothing"),
    "heeb" -> Map("model" -> "ar1", "alpha" -> "4"),
    "heeb" -> Map("model" -> "ar1", "alpha" -> "learned", "ar1_memory" -> "60")
  )

  /** What every policy keeps to is tried with these. */
  lazy val tried: Seq[(String, Map[String, String])] = unranked ++ all.map(c => (c.name, c.settings)).distinct
}
