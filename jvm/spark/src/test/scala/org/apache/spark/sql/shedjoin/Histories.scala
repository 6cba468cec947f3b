package org.apache.spark.sql.shedjoin

import scala.util.Random

/** Random histories, each made of its seed alone. */
object Histories {
  import TimeCondition._

  private val joinTypes = Seq("inner", "left_outer", "right_outer", "full_outer", "left_semi")

  def of(seed: Long): History = {
    val r = new Random(seed * 0x9e3779b97f4a7c15L + 17)
    r.nextLong()
    val surroundings = Surroundings.of(seed)
    val join = surroundings.changed(Iterator.continually(joinCase(r)).find(_.isLegal).get)
    val inOrder = r.nextInt(3) > 0
    val shortest = (join.leftDelay ++ join.rightDelay).minOption.getOrElse(5)
    val disorderMs = 1 + r.nextInt(if (inOrder) math.max(1, shortest * 1000 - 1000) else 20000)
    val events = new Events(r, disorderMs, inOrder, exact = join.time == Same, surroundings)
    val batches = Vector.fill(2 + r.nextInt(5))(events.batch()) :+ events.flush()
    val nothingLate = inOrder && surroundings.leavesAll(join)
    val (selfJoin, partitions, codegen) =
      (r.nextInt(4) == 0, 1 + r.nextInt(3), r.nextInt(6) == 0 || surroundings.wholeStage)
    History(seed, join, batches, nothingLate, selfJoin, partitions, codegen, surroundings.confs(partitions))
  }

  /** The same events in other batches; the order of the rows stays. */
  def cutAnew(history: History, seed: Long): History = {
    val r = new Random(seed)
    val rows = history.batches.init.flatten
    val cuts = (0 +: Vector.fill(1 + r.nextInt(6))(r.nextInt(rows.size + 1)).sorted :+ rows.size).distinct
    val batches = cuts.zip(cuts.drop(1)).map { case (from, to) => rows.slice(from, to) }
    history.copy(batches = batches :+ history.batches.last)
  }

  /** The same batches with their rows in another order. */
  def shuffled(history: History, seed: Long): History = {
    val r = new Random(seed)
    history.copy(batches = history.batches.map(r.shuffle(_)))
  }

  private def joinCase(r: Random): JoinCase = {
    def delay(): Option[Int] = Option.when(r.nextInt(4) > 0)(1 + r.nextInt(10))
    val joinType = joinTypes(r.nextInt(joinTypes.size))
    JoinCase(
      joinType,
      KeyType.all(r.nextInt(KeyType.all.size)),
      twoColumns = r.nextInt(4) == 0,
      nullSafe = r.nextInt(4) == 0,
      timeCondition(r),
      residual = r.nextInt(3) == 0,
      leftOnly = r.nextInt(4) == 0,
      rightOnly = r.nextInt(4) == 0,
      delay(),
      delay(),
      Seq.fill(1 + r.nextInt(3))(KeyType.payloads(r.nextInt(KeyType.payloads.size))),
      updateMode = joinType == "inner" && r.nextInt(3) == 0
    )
  }

  private def timeCondition(r: Random): TimeCondition = r.nextInt(8) match {
    case 0 => Unrelated
    case 1 => Same
    case 2 =>
      val seconds = 5 + r.nextInt(10)
      Windows(seconds, seconds)
    case 3 => Windows(10, 5)
    case _ =>
      val low = (r.nextInt(40) - 32) * 500
      val high = low + r.nextInt(60) * 500 + 1000
      val sides = r.nextInt(6)
      Range(
        Option.when(sides != 0)(Bound(low, r.nextBoolean())),
        Option.when(sides != 1)(Bound(high, r.nextBoolean())),
        spellings(r.nextInt(spellings.size))
      )
  }

  /** Makes events on a clock that runs on from batch to batch. */
  final private class Events(
      r: Random,
      disorderMs: Int,
      nothingLate: Boolean,
      exact: Boolean,
      surroundings: Surroundings
  ) {
    private val keys = 1 + r.nextInt(8)
    private val rates = surroundings.rates(1 + r.nextInt(14))
    private val nulls = r.nextInt(3) == 0
    private val fine = r.nextInt(4) == 0
    private var clockMs = 100000L
    private var id = 0L

    def batch(): Vector[Event] = {
      clockMs += r.nextInt(surroundings.stepMs)
      val empty = r.nextInt(10) == 0
      val sides = if (empty) Vector(r.nextInt(2)) else Vector(0, 1)
      val rows = sides.flatMap(side => Vector.fill(r.nextInt(2 * rates(side)) + 1)(event(side)))
      val twice = rows.filter(_ => r.nextInt(15) == 0)
      r.shuffle(rows ++ twice)
    }

    /** A row a side, so late that all else is past its windows. */
    def flush(): Vector[Event] =
      Vector(0, 1).map(side => Event(1000000 + side, at(clockMs + 7200000, 0), Some(90 + side), 0, 0, Some(5), side))

    private def event(side: Int): Event = {
      id += 1
      val late = !nothingLate && r.nextInt(6) == 0
      val ms = clockMs - r.nextInt(disorderMs) - (if (late) r.nextInt(60000) else 0)
      val ts =
        if (nulls && r.nextInt(12) == 0) null
        else at(if (exact) ms / 1000 * 1000 else ms, if (fine) r.nextInt(1000) else 0)
      val k = Option.when(!(nulls && r.nextInt(8) == 0))(r.nextInt(keys))
      val v = Option.when(!(nulls && r.nextInt(10) == 0))(r.nextInt(10))
      Event(id, ts, k, r.nextInt(2), r.nextInt(2), v, side)
    }

    private def at(ms: Long, micros: Int): java.time.Instant =
      Event.instant(surroundings.startMicros + ms * 1000 + micros)
  }
}
