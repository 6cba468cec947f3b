package shedjoin.core.policy

import shedjoin.core.join.Side

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

  private def life(history: PolicyHistory, row: TestRow): Double =
    if (row.lastTick == RowFacts.Never) Long.MaxValue.toDouble else math.max(0, row.lastTick - history.tick).toDouble

  private def decayed(alpha: Double, life: Double): Double = {
    val q = math.exp(-1 / alpha)
    q * (1 - math.pow(q, life)) / (1 - q)
  }

  private def rated(name: String, settings: Map[String, String])(weight: Double => Double): Seq[PolicyCase] = Seq(
    PolicyCase(name, settings ++ givenRates, 1e-8) { (h, id) =>
      val row = h.rows.stored(id)
      rate(row) * factor(row) * weight(life(h, row))
    },
    PolicyCase(name, settings ++ counting + ("weigh" -> "nothing"), ofFloats) { (h, id) =>
      val row = h.rows.stored(id)
      seen(h, row) * weight(life(h, row))
    },
    PolicyCase(name, settings ++ counting, ofFloats) { (h, id) =>
      val row = h.rows.stored(id)
      seen(h, row) * factor(row) * weight(life(h, row))
    }
  )

  /** How far counts are off, which are floats. */
  private val ofFloats = 1e-5

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
    rated("prob", Map.empty)(_ => 1) ++
      rated("life", Map.empty)(life => life) ++
      rated("heeb", Map("alpha" -> "7"))(decayed(7, _)) :+
      PolicyCase("size", counting, ofFloats)((h, id) => seen(h, h.rows.stored(id)))

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

  private val trends = Seq((1, 1), (-1, 2), (0, 1)).map { case (left, right) =>
    PolicyCase(
      "heeb",
      Map("model" -> "trend", "alpha" -> "3", "left_slope" -> s"$left", "right_slope" -> s"$right") ++
        Map("left_start" -> "-9", "right_start" -> "-30") ++
        Map("left_noise" -> noise(Side.Left).mkString(" "), "right_noise" -> noise(Side.Right).mkString(" "))
    ) { (h, id) =>
      val row = h.rows.stored(id)
      val other = Side.other(row.side)
      def mean(t: Long): Long = if (other == Side.Left) left * t - 9 else right * t - 30
      (1 to 90).map(d => around0(noise(other))(row.value - mean(h.tick + d)) * math.exp(-d / 3.0)).sum
    }
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
  private val walkBenefit: Map[(Int, Int), Double] = (for {
    (side, steps) <- walked.toSeq
    (at, i) <- steps.zipWithIndex
    (value, p) <- at
  } yield ((side, value), p * math.exp(-(i + 1) / 2.0))).groupMapReduce(_._1)(_._2)(_ + _)

  private val walks = PolicyCase(
    "heeb",
    Map("model" -> "walk", "alpha" -> "2") ++
      Map("left_step" -> noise(Side.Left).mkString(" "), "right_step" -> noise(Side.Right).mkString(" "))
  ) { (h, id) =>
    val row = h.rows.stored(id)
    val other = Side.other(row.side)
    h.latest.get(other).fold(0.0)(x => walkBenefit.getOrElse((other, row.value - x), 0.0))
  }

  /** Rows that are not mature come last, the newest first. */
  private val unripe = 1e12

  private def ijoin(maturity: Int, patience: Int, penalty: Double, decay: Double): PolicyCase = PolicyCase(
    "ijoin",
    Map("maturity" -> s"$maturity", "patience" -> s"$patience", "penalty" -> s"$penalty", "decay" -> s"$decay")
  ) { (h, id) =>
    val row = h.rows.stored(id)
    val age = h.tick - row.arrival
    val matches = row.matches.map { case (at, n) => n * math.exp(-decay * (h.tick - at)) }.sum
    val idle = h.tick - row.lastMatch
    if (age <= maturity) unripe - row.arrival
    else row.importance * matches / math.max(1, age) - (if (idle >= patience) penalty * idle else 0)
  }

  private val ijoins = Seq(
    ijoin(2, 3, 1, .5),
    ijoin(0, 1, .01, .05),
    ijoin(1, 5, .3, .1),
    ijoin(4, 2, 0, .2),
    ijoin(3, 10, 2, 0)
  )

  val all: Seq[PolicyCase] = (scores ++ frequencies ++ ages ++ trends :+ walks) ++ ijoins
}
