package org.apache.spark.sql.shedjoin

import java.time.Instant

/** One row of a test stream: `k` and `k2` make the join key, `alt` picks one of its spellings, `side` is 0 for left. */
final case class Event(id: Long, ts: Instant, k: Option[Int], k2: Int, alt: Int, v: Option[Int], side: Int) {

  /** The event time in microseconds. */
  def micros: Option[Long] = Option(ts).map(t => t.getEpochSecond * 1000000 + t.getNano / 1000)
}

object Event {
  def instant(micros: Long): Instant =
    Instant.ofEpochSecond(Math.floorDiv(micros, 1000000L), Math.floorMod(micros, 1000000L) * 1000)
}
