package shedjoin.state

import shedjoin.core.Budget

/** Merges a snapshot and the deltas after it into one snapshot, file by file, without the live state.
  *
  * The files are read from the youngest to the oldest, once to count and once to write. A row is the one its id stands for
  * unless a younger file removed the id or gave it to another row; it is matched if its own file or a younger one says so.
  * That takes two bits an id.
  */
final class SnapshotMerge(lineage: Lineage, files: Vector[String], budget: Budget) {
  import SnapshotMerge._

  /** Checks all files and counts what is left of them. O(content). */
  def count(): Counted = withMarks { marks =>
    val counter = new Pass(marks, NoRows)
    val chains = files.reverse.map(lineage.readBackwards(_, budget, counter))
    chains.zip(chains.drop(1)).foreach { case (younger, older) => younger.continues(older) }
    Counted(counter.rows, counter.latest, counter.taken, chains.head.after)
  }

  /** Writes what is left of the files. O(content). */
  def write(counted: Counted, to: FrameWriter): Unit = withMarks { marks =>
    to.putByte(StateContent.Tick)
    to.putLong(counted.latestTime)
    to.putVar(counted.rowsTaken)
    to.putByte(StateContent.Rows)
    to.putVar(counted.rows)
    val head = new RowWriter(to)
    val writer = new Pass(
      marks,
      (id, side, matched, time, bytes, keyLength, length) => {
        head.put(id, side, matched, time, keyLength, length)
        to.putBytes(bytes, 0, keyLength + length)
      }
    )
    files.reverseIterator.foreach(lineage.readBackwards(_, budget, writer))
    to.putByte(StateContent.End)
  }

  private def withMarks[A](f: Marks => A): A = {
    val marks = new Marks(new IdMarks(budget), new IdMarks(budget))
    try f(marks)
    finally {
      marks.gone.release()
      marks.matched.release()
    }
  }
}

object SnapshotMerge {
  final case class Counted(rows: Long, latestTime: Long, rowsTaken: Long, chain: Long)

  final private class Marks(val gone: IdMarks, val matched: IdMarks)

  private type Put = (Int, Int, Boolean, Long, Array[Byte], Int, Int) => Unit
  private val NoRows: Put = (_, _, _, _, _, _, _) => ()

  final private class Pass(marks: Marks, put: Put) extends StateVisitor {
    var rows = 0L
    var latest: Long = Long.MinValue

    var taken = 0L

    def tick(latestTime: Long, rowsTaken: Long): Unit = {
      latest = math.max(latest, latestTime)
      taken = math.max(taken, rowsTaken)
    }

    def removed(id: Int): Unit = marks.gone.add(id)

    def matched(id: Int): Unit = if (!marks.gone.has(id)) marks.matched.add(id)

    def row(id: Int, side: Int, matched: Boolean, time: Long, bytes: Array[Byte], keyLength: Int, length: Int): Unit =
      if (!marks.gone.has(id)) {
        rows += 1
        put(id, side, matched || marks.matched.has(id), time, bytes, keyLength, length)
        marks.gone.add(id)
      }

    def end(): Unit = ()
  }
}
