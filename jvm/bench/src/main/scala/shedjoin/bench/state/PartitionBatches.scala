package shedjoin.bench.state

import java.io.{InputStream, OutputStream}

import shedjoin.bench.data.Draw
import shedjoin.core.join._
import shedjoin.core.{Bytes, Mixer}
import shedjoin.state._

/** What one of two partitions does in the base workload, without Spark, its files going nowhere: where a row's time goes.
  *
  * @param rowsABatch
  *   of a side
  */
final class PartitionBatches(rowsABatch: Int) {
  import PartitionBatches._

  private val keyColumn = KeyInRow(zeros = 8, words = Vector(8), bits = Vector(0))
  private val reach = Reach(-Reaches * StepUs, Reaches * StepUs, needsTime = true)
  private val key = new Array[Byte](16)
  private val row = new Array[Byte](RowBytes)
  private val joined = new Array[Byte](2 * RowBytes)

  /** How many rows a run takes. */
  def rows: Int = 2 * rowsABatch * Batches

  /** All batches, begun with an empty state; the nanoseconds of each of `Phases`, a row taken. */
  def run(): Vector[Double] = {
    val state = new VersionedState(Nowhere, new StateSettings(StateSettings.Unlimited, Int.MaxValue, 2))
    val spent = new Array[Long](Phases.size)
    try (0 until Batches).foreach(batch => runBatch(state, batch, spent))
    finally state.close()
    spent.toVector.map(_.toDouble / rows)
  }

  private def runBatch(versions: VersionedState, number: Int, spent: Array[Long]): Unit = {
    def timed[A](phase: Int)(body: => A): A = {
      val before = System.nanoTime
      val result = body
      spent(phase) += System.nanoTime - before
      result
    }
    val attempt = timed(Open)(versions.open(StateVersion(number.toLong, None)))
    val state = attempt.state
    state.keysInRows = KeysInRows(keyColumn, keyColumn)
    val bound = (number - 1L - Reaches) * StepUs
    val shape = JoinShape(JoinKind.Inner, bound, bound, reach, reach)
    val source: RowSource = side => {
      timed(Stage)(stage(state, side, number))
      false
    }
    val batch = new MicroBatch(state, new SideBySide(state, JoinKind.Inner, source), shape, PairCondition.Always)
    val stagedBefore = spent(Stage)
    timed(Probe)(drain(attempt, batch))
    spent(Probe) -= spent(Stage) - stagedBefore
    timed(Expire) {
      batch.expire()
      drain(attempt, batch)
    }
    timed(Commit)(attempt.commit())
  }

  /** Takes results as the operator does, asking for each whether the attempt is still open. */
  private def drain(attempt: Attempt, batch: MicroBatch): Unit = {
    attempt.requireOpen()
    while (batch.next()) {
      copyJoined(attempt.state, batch)
      attempt.requireOpen()
    }
  }

  private def stage(state: JoinState, side: Int, batch: Int): Unit = {
    var i = 0
    while (i < rowsABatch) {
      val place = batch.toLong * rowsABatch + i
      val time = batch * StepUs + Draw.below(Mixer.at(side + 2L, place), StepUs)
      Bytes.putLong(key, 8, Draw.below(Mixer.at(side.toLong, place), 10L * rowsABatch))
      Bytes.putLong(row, 8, Bytes.getLong(key, 8))
      Bytes.putLong(row, 16, time)
      Bytes.putLong(row, 24, Mixer.at(side + 4L, place))
      state.stage(key, 0, key.length, row, 0, RowBytes, time)
      i += 1
    }
  }

  private def copyJoined(state: JoinState, batch: MicroBatch): Unit = {
    System.arraycopy(state.page(batch.left), state.offset(batch.left), joined, 0, RowBytes)
    System.arraycopy(state.page(batch.right), state.offset(batch.right), joined, RowBytes, RowBytes)
  }
}

object PartitionBatches {
  val Phases: Vector[String] = Vector("open", "stage", "probe and store", "expire", "commit")
  private val Open = 0
  private val Stage = 1
  private val Probe = 2
  private val Expire = 3
  private val Commit = 4

  private val Batches = 20
  private val StepUs = 60000000L
  private val Reaches = 10L

  /** As an `UnsafeRow` of key, time and value. */
  private val RowBytes = 32
}

/** Takes files and forgets them. */
private object Nowhere extends StateFiles {
  def path: String = "nowhere"
  def list(): Seq[String] = Nil
  def open(name: String): InputStream = throw new java.io.FileNotFoundException(name)
  def delete(name: String): Unit = ()
  def create(name: String): PendingFile = new PendingFile {
    val out: OutputStream = OutputStream.nullOutputStream
    def commit(): Unit = ()
    def cancel(): Unit = ()
  }
}
