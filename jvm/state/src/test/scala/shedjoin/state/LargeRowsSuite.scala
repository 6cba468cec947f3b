package shedjoin.state

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.Side
import shedjoin.core.{BudgetExceeded, Bytes, Seeded}

/** Rows and keys of any size in a small memory: what can be stored can be merged, and reopened in the same memory. */
class LargeRowsSuite extends AnyFunSuite with Seeded {
  import LargeRowsSuite._

  private val K = 1024
  private val M = 1024 * K

  test("files of rows of any size are merged and deleted, beside a task") {
    // The share, the bytes of a row, and how many of them come with a batch.
    Seq((32 * M, 800 * K, 2), (2 * M, 70 * K, 1), (32 * M, 5 * M, 1)).foreach { case (share, length, rows) =>
      val run = new Run(share)
      (1 to 24).foreach { i =>
        val kept = run.model.keys.toSeq.sorted.takeRight(2 * rows)
        val gone = run.model.keySet.toSet -- kept
        assert(run.batch(Seq.tabulate(rows)(r => Row(i * 10 + r, 16, length)), gone.toSeq))
        run.maintain()
      }
      assert(run.versions.snapshotVersion >= 20, s"rows of $length bytes in $share")
      assert(run.files.list().size <= 12, s"${run.files.list().size} files of rows of $length bytes in $share")
      run.assertReopens()
    }
  }

  test("a memory full of large rows reopens, and is merged, whatever the size of rows and of keys") {
    val cases = for {
      share <- Seq(2 * M, 32 * M)
      length <- Seq(900, 9 * K, 33 * K, 70 * K, 300 * K, 800 * K, 2 * M, 9 * M) if length < share / 3
      key <- Seq(16, 5 * K, length + 24) if share < 32 * M || (length >= 300 * K && key != 5 * K)
    } yield (share, length, key)
    cases.foreach { case (share, length, key) =>
      val run = new Run(share)
      fill(run)(i => Seq(Row(i, key, length)))
      assert(run.model.nonEmpty, s"rows of $length bytes with keys of $key in $share")
      run.assertReopens()
      run.maintain()
      assert(run.versions.snapshotVersion > run.version - 4)
      run.assertReopens()
    }
  }

  test("a key far larger than its rows, and the same for all of them, is read back beside a full memory") {
    Seq((2 * M, 300 * K, 10 * K), (2 * M, 300 * K, 40 * K), (32 * M, 6 * M, 1 * M)).foreach {
      case (share, key, length) =>
        val run = new Run(share)
        fill(run)(i => Seq.tabulate(5)(r => Row(i * 5 + r, key, length, sharesKey = true)))
        run.assertReopens()
        run.maintain()
        run.assertReopens()
    }
  }

  test("rows of all sizes come and go: every version committed reopens in the same memory, and files go away") {
    var full = 0
    histories(24) { random =>
      val share = Seq(StateSettings.LeastBytes.toInt + random.nextInt(M), 2 * M, 4 * M, 20 * M)(random.nextInt(4))
      val run = new Run(share, codec = random.nextInt(2))
      val most = Seq(share / 4, share / 20, share / 200)(random.nextInt(3))
      val twoSizes = random.nextInt(3) == 0
      var next = 0
      def anyLength() =
        if (twoSizes) run.settings.pageBytes * (if (random.nextBoolean()) 40 else 22) / 64
        else math.max(24, (most * math.pow(random.nextDouble(), 3)).toInt)
      def anyRow() = {
        next += 1
        val key = if (random.nextInt(3) == 0) 16 + 8 * random.nextInt(anyLength() / 8 + 1) else 16
        Row(next, key, anyLength(), sharesKey = random.nextInt(3) == 0)
      }
      (1 to 40).foreach { _ =>
        val gone = run.model.keys.toSeq.sorted.filter(_ => random.nextInt(12) == 0)
        if (!run.batch(Seq.fill(random.nextInt(8))(anyRow()), gone)) full += 1
        if (random.nextInt(3) == 0) run.maintain()
        if (random.nextInt(6) == 0) run.assertReopens()
        if (random.nextInt(10) == 0) run.restart()
      }
      run.assertReopens()
      run.maintain()
      assert(run.version - run.youngestSnapshot <= 5)
    }
    assert(full > 60, s"only $full batches found the memory full")
  }

  test("a state that opened in a smaller memory opens there again, whatever it then committed, or is refused at once") {
    var (opened, refused, wentOn) = (0, 0, 0)
    histories(60) { random =>
      val first = new Run(2 * M, codec = random.nextInt(2))
      val most = Seq(200, 3 * K, 40 * K)(random.nextInt(3))
      var next = 0
      def someRow(of: Int) = {
        next += 1
        Row(next, Seq(16, 24, 5 * K)(math.min(random.nextInt(8), 2)), 24 + random.nextInt(of))
      }
      val rows = random.nextInt(500 * K / most + 2)
      (1 to 1 + random.nextInt(6)).foreach { _ =>
        first.batch(Seq.fill(rows)(someRow(most)), first.model.keys.toSeq.filter(_ => random.nextInt(5) == 0))
        if (random.nextInt(4) == 0) first.maintain()
      }
      (0 to 12).foreach { step =>
        val smaller = first.in(StateSettings.LeastBytes + step * 90 * K + random.nextInt(8 * K))
        if (!smaller.canOpen) refused += 1
        else {
          opened += 1
          (1 to 5).foreach { _ =>
            val gone = smaller.model.keys.toSeq.filter(_ => random.nextInt(30) == 0)
            if (smaller.batch(Seq.fill(random.nextInt(5))(someRow(most)), gone)) wentOn += 1
            smaller.assertReopens()
            if (random.nextBoolean()) smaller.maintain()
            smaller.assertReopens()
          }
        }
      }
    }
    assert(opened > 100 && refused > 100 && wentOn > 100, s"$opened opened, $refused were refused, $wentOn batches")
  }

  /** Adds batches until the memory is full. */
  private def fill(run: Run)(rows: Int => Seq[Row]): Unit = {
    var i = 0
    while (run.batch(rows(i), Nil)) i += 1
  }
}

object LargeRowsSuite {

  /** A row by its number, with so many bytes of key and of its own. */
  final case class Row(number: Int, keyLength: Int, length: Int, sharesKey: Boolean = false) {
    def key: Array[Byte] = noise(if (sharesKey) 1 else number + 2, keyLength, 0)
    def bytes: Array[Byte] = noise(-number - 1, length, number)

    private def noise(seed: Int, length: Int, first: Int): Array[Byte] = {
      val bytes = new Array[Byte](length)
      var word = new Random(seed).nextLong()
      (0 to length - 8 by 8).foreach { at =>
        word = Bytes.scatter(word + at)
        Bytes.putLong(bytes, at, word)
      }
      Bytes.putInt(bytes, 0, first)
      bytes
    }
  }

  /** A state of one share, what should be in it, and its files. */
  final class Run(share: Long, codec: Int = Frames.NoCodec, val files: MemoryFiles = new MemoryFiles) {
    val settings: StateSettings = StateSettings(share, deltasPerSnapshot = 4, versionsToRetain = 2, codec = codec)
    val model = mutable.Map.empty[Int, Row]
    var version = 0L
    var versions = new VersionedState(files, settings)

    /** Commits what it stores and removes; false, and nothing, if the memory is full. */
    def batch(rows: Seq[Row], gone: Seq[Int]): Boolean = {
      val attempt = versions.open(StateVersion(version, None))
      try {
        val state = attempt.state
        numbers(state).foreach { case (id, number) => if (gone.contains(number)) state.remove(id) }
        rows.foreach { row =>
          val (key, bytes) = (row.key, row.bytes)
          state.stage(key, 0, key.length, bytes, 0, bytes.length, row.number.toLong)
        }
        (0 until state.arrange()).foreach { place =>
          state.standAt(place)
          state.tickAt(state.stagedTime)
          state.store(Side.Left, matched = false)
        }
        state.clearStaged()
        attempt.commit()
        assert(state.budget.peakBytes <= share)
        version += 1
        model --= gone
        model ++= rows.map(row => row.number -> row)
        true
      } catch {
        case _: BudgetExceeded =>
          attempt.abort()
          false
      }
    }

    /** Runs maintenance for the version that was committed last, which is settled when the next batch opens it. */
    def maintain(): Unit = {
      assert(canOpen)
      versions.maintain()
    }

    def youngestSnapshot: Long =
      files.list().flatMap(StateVersion.parse(_)).collect { case (v, true) => v.number }.maxOption.getOrElse(0)

    def restart(): Unit = versions = new VersionedState(files, settings)

    /** The same files, copied, in another memory. */
    def in(other: Long): Run = {
      val run = new Run(other, codec, files.copy())
      run.version = version
      run.model ++= model
      run
    }

    def canOpen: Boolean =
      try {
        versions.open(StateVersion(version, None)).abort()
        true
      } catch { case _: BudgetExceeded => false }

    def assertReopens(): Unit = {
      val state = new VersionedState(files, settings).open(StateVersion(version, None)).state
      state.checkInvariants()
      assert(state.budget.peakBytes <= share)
      val found = numbers(state)
      assert(found.map(_._2).sorted == model.keys.toSeq.sorted)
      found.foreach { case (id, number) => assertSame(state, id, model(number)) }
    }

    private def numbers(state: JoinState): Seq[(Int, Int)] = Histories.allIds(state).map { id =>
      val row = state.address(id)
      id -> Bytes.getInt(state.page(row), state.offset(row))
    }

    private def assertSame(state: JoinState, id: Int, row: Row): Unit = {
      val (at, key) = (state.address(id), state.key(id))
      val stored = state.page(at).slice(state.offset(at), state.offset(at) + state.length(at))
      assert(java.util.Arrays.equals(stored, row.bytes), s"the bytes of $row")
      val from = state.keyBytes.offset(key)
      val storedKey = state.keyBytes.page(key).slice(from, from + state.keyBytes.length(key))
      assert(java.util.Arrays.equals(storedKey, row.key), s"the key of $row")
    }
  }
}
