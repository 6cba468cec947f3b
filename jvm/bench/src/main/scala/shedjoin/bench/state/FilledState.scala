package shedjoin.bench.state

import shedjoin.bench.data.Draw
import shedjoin.core.join.{JoinShape, Side, SideBySide}
import shedjoin.core.{Budget, Mixer, NoRow}
import shedjoin.state.JoinState

/** A state of a given size, both sides alike, and what the benchmarks do with it, `Chunk` rows at a time.
  *
  * Rows come in the order of time, at random within a chunk; there are as many keys as rows, so that a probe meets about
  * one row every other time.
  */
final class FilledState(rows: Int) {
  import FilledState._

  private val state = new JoinState(Budget.unlimited, PageBytes)
  private val key = new Array[Byte](KeyBytes)
  private val row = new Array[Byte](RowBytes)
  private val newest = new Array[Long](2)
  private val oldest = new Array[Long](2)
  private val chosen = new java.util.BitSet
  private var draws = 0L

  while (state.size < rows) Seq(Side.Left, Side.Right).foreach(insert)

  /** Stores a chunk of rows of a side, which are the youngest. */
  def insert(side: Int): Unit = {
    stage(newest(side))
    newest(side) += Chunk
    val count = state.arrange()
    var place = 0
    while (place < count) {
      readAhead(place, count, side)
      state.standAt(place)
      state.store(side, matched = false)
      place += 1
    }
    state.clearStaged()
    state.begin()
  }

  /** Removes the oldest chunk of a side. */
  def expire(side: Int): Unit = {
    oldest(side) += Chunk
    val bound = oldest(side) - 1
    var expired = state.firstExpired(side, bound)
    while (expired != NoRow) {
      state.remove(expired)
      expired = state.firstExpired(side, bound)
    }
    state.begin()
  }

  /** Looks up a chunk of keys and walks the rows of the other side that have them; returns something of each. */
  def probe(side: Int): Long = {
    stage(newest(side))
    val count = state.arrange()
    var sum = 0L
    var place = 0
    while (place < count) {
      readAhead(place, count, side)
      state.standAt(place)
      var met = state.lastUpTo(state.stagedKey, Side.other(side), JoinShape.NoTime)
      while (met != NoRow) {
        sum += state.address(met)
        met = state.previous(met)
      }
      place += 1
    }
    place = 0
    while (place < count) {
      state.standAt(place)
      state.discard()
      place += 1
    }
    state.clearStaged()
    state.begin()
    sum
  }

  def remove(ids: Array[Int]): Unit = {
    var i = 0
    while (i < ids.length) {
      state.remove(ids(i))
      i += 1
    }
    state.begin()
  }

  /** Replaces as many rows at random as there are, so that their bytes lie with as many gaps as they come to have. */
  def wear(): Unit = {
    val ids = new Array[Int](Chunk)
    (0 to rows / Chunk * 5 / 4).foreach { _ =>
      choose(ids)
      remove(ids)
      insert(Side.Left)
    }
  }

  /** Fills `ids` with stored rows, at random. O(length) expected. */
  def choose(ids: Array[Int]): Unit = {
    chosen.clear()
    var count = 0
    while (count < ids.length) {
      val id = Draw.below(draw(), rows + 2L * Chunk).toInt
      if (state.holds(id) && !chosen.get(id)) {
        chosen.set(id)
        ids(count) = id
        count += 1
      }
    }
  }

  /** As the join does before it probes and stores. */
  private def readAhead(place: Int, count: Int, side: Int): Unit =
    if (place % SideBySide.Ahead == 0)
      state.readAhead(place, math.min(count, place + SideBySide.Ahead), Side.other(side))

  private def stage(from: Long): Unit = {
    var i = 0
    while (i < Chunk) {
      Longs.set(key, 8, Draw.below(draw(), rows.toLong))
      state.stage(key, 0, KeyBytes, row, 0, RowBytes, from + Draw.below(draw(), Chunk.toLong))
      i += 1
    }
  }

  private def draw(): Long = {
    draws += 1
    Mixer.at(Seed, draws)
  }
}

object FilledState {
  val Chunk = 1000

  private val Seed = 1L
  private val PageBytes = 1 << 16

  /** As `UnsafeRow`s of one and of three columns. */
  private val KeyBytes = 16
  private val RowBytes = 32
  private val Longs =
    java.lang.invoke.MethodHandles.byteArrayViewVarHandle(classOf[Array[Long]], java.nio.ByteOrder.LITTLE_ENDIAN)
}
