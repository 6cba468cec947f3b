package shedjoin.state

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.{JoinKind, JoinShape}
import shedjoin.core.{Budget, BudgetExceeded, Seeded}

/** Files that are not what was written: always an error that names one, never a wrong state or a wrong snapshot. */
class DamagedFilesSuite extends AnyFunSuite with Seeded {
  import Histories._

  private val last = 4L

  private def settings(codec: Int) = StateSettings(StateSettings.Unlimited, 100, 100, codec)

  private def version(number: Long, ids: Boolean): StateVersion =
    if (number == 0) StateVersion.Empty else GoldenFiles.version(number, ids)

  /** A history of `last` versions in files; `seed` makes it its own from version `common` + 1 on. */
  private def written(
      codec: Int,
      ids: Boolean,
      seed: Int,
      common: Int,
      rows: Int = 8,
      padding: Int = 0
  ): MemoryFiles = {
    val files = new MemoryFiles("dir")
    val state = new VersionedState(files, settings(codec))
    val shape = shapeOf(JoinKind.FullOuter, someReach(new Random(1)), JoinShape.NoBound)
    (0 until last.toInt).foreach { i =>
      val random = new Random(if (i < common) 77L + i else 1000L * seed + i)
      val attempt = state.open(version(i.toLong, ids), nextUid = version(i + 1L, ids).uid)
      val open = attempt.state
      open.keysInRows = InRows
      def side = Seq.fill(rows)(someRow(random, padding))
      runBatch(open, Batch(side, side, 0), shape)
      random.shuffle(allIds(open)).take(2).foreach(open.remove)
      attempt.commit()
    }
    files
  }

  private def someRow(random: Random, padding: Int): TestRow =
    TestRow(random.nextInt(3), random.nextInt(50).toLong, random.nextInt(90), padding + random.nextInt(6))

  private def withSnapshot(files: MemoryFiles, number: Long, ids: Boolean, codec: Int): MemoryFiles = {
    new StateMaintenance(files, StateSettings(StateSettings.Unlimited, 1, 100, codec))
      .run(version(number, ids), Budget.unlimited)
    files
  }

  /** Opening the last version, and merging its files, both say that a file is damaged; which, is the answer. */
  private def damageFound(files: MemoryFiles, ids: Boolean): Set[String] = {
    val before = files.list().toSet
    val opening = intercept[DamagedStateFile] {
      new VersionedState(files, settings(Frames.NoCodec)).open(version(last, ids)).state
    }
    val merging = intercept[DamagedStateFile] {
      new StateMaintenance(files, StateSettings(StateSettings.Unlimited, 1, 0))
        .run(version(last, ids), Budget.unlimited)
    }
    assert(files.list().toSet == before, "maintenance wrote or deleted a file")
    Seq(opening, merging).foreach(e => assert(e.getMessage.contains(e.path) && e.id == "SHEDJOIN_DAMAGED_STATE_FILE"))
    Set(opening.path, merging.path).map(_.stripPrefix("dir/"))
  }

  private def damaged(
      files: MemoryFiles,
      name: String,
      ids: Boolean
  )(change: Array[Byte] => Array[Byte]): Set[String] = {
    val copy = files.copy()
    copy.content.put(name, change(files.content.get(name).clone))
    damageFound(copy, ids)
  }

  private def flip(at: Int, bits: Int)(bytes: Array[Byte]): Array[Byte] = {
    bytes(at) = (bytes(at) ^ bits).toByte
    bytes
  }

  for ((codec, codecName) <- Seq((Frames.NoCodec, "plain"), (Frames.Zstd, "zstd")); ids <- Seq(false, true)) {
    val kind = s"$codecName, ${if (ids) "with" else "without"} ids"
    lazy val files = withSnapshot(written(codec, ids, 1, 0), 2, ids, codec)
    lazy val names = Seq(version(2, ids).snapshot, version(3, ids).delta, version(4, ids).delta)

    test(s"$kind: each byte flipped is found, in the file that has it") {
      val random = new Random(9)
      for (name <- names; at <- files.content.get(name).indices)
        assert(damaged(files, name, ids)(flip(at, 1 + random.nextInt(255))) == Set(name), s"byte $at of $name")
    }

    test(s"$kind: a file cut short anywhere, or with more behind it, is found") {
      for (name <- names; length <- files.content.get(name).indices)
        assert(damaged(files, name, ids)(java.util.Arrays.copyOf(_, length)) == Set(name), s"$length bytes of $name")
      for (name <- names; more <- Seq(1, 4, 100))
        assert(damaged(files, name, ids)(b => java.util.Arrays.copyOf(b, b.length + more)) == Set(name))
    }

    test(s"$kind: a missing delta is named") {
      val copy = written(codec, ids, 1, 0)
      for (number <- 1L to last) {
        val without = copy.copy()
        without.delete(version(number, ids).delta)
        assert(damageFound(without, ids) == Set(version(number, ids).delta))
      }
    }

    test(s"$kind: a file under the name of another version is found by its header") {
      for (to <- 3L to last; from <- 1L to last if from != to) {
        val found = damaged(files, version(to, ids).delta, ids)(_ => files.content.get(version(from, ids).delta))
        assert(found == Set(version(to, ids).delta), s"$from as $to")
      }
      val snapshot = files.content.get(version(2, ids).snapshot)
      assert(damaged(files, version(3, ids).delta, ids)(_ => snapshot) == Set(version(3, ids).delta))
    }

    test(s"$kind: a delta of another history is found, whether it parted before or at that version") {
      for (common <- 0 to 3; number <- common + 1 to last.toInt) {
        val mine = written(codec, ids, 1, common)
        val other = written(codec, ids, 2, common)
        val name = version(number.toLong, ids).delta
        val copy = mine.copy()
        copy.content.put(name, other.content.get(name))
        // The last delta of a history that parted at it is one that another attempt might have written.
        if (common + 1 < last || number < last)
          assert(damageFound(copy, ids).subsetOf((1L to last).map(version(_, ids).delta).toSet))
      }
    }
  }

  test("a file of another history is named even where its rows do not fit the memory") {
    val least = settings(Frames.NoCodec).copy(budgetBytes = StateSettings.LeastBytes)
    val mine = written(Frames.NoCodec, ids = false, 1, 0)
    val other = written(Frames.NoCodec, ids = false, 2, 0, padding = 100000)
    def open(files: MemoryFiles) = new VersionedState(files, least).open(version(last, ids = false)).state
    open(mine)
    intercept[BudgetExceeded](open(other))
    for (number <- 1L to last) {
      val name = version(number, ids = false).delta
      val mixed = mine.copy()
      mixed.content.put(name, other.content.get(name))
      assert(intercept[DamagedStateFile](open(mixed)).path.startsWith("dir/"), name)
    }
  }

  test("blocks that are whole but not in their place are found, though what they say is nonsense") {
    val mine = written(Frames.NoCodec, ids = false, 1, 0, rows = 1000)
    val other = written(Frames.NoCodec, ids = false, 2, 0, rows = 1000)
    histories(150) { random =>
      val name = version(1L + random.nextInt(last.toInt), ids = false).delta
      val blocks = Blocks.of(mine.content.get(name))
      val others = Blocks.of(other.content.get(name))
      assert(blocks.size > 2, s"$name has ${blocks.size} blocks")
      val mixed = random.nextInt(4) match {
        case 0 => random.shuffle(blocks)
        case 1 => blocks.patch(random.nextInt(blocks.size), Nil, 1)
        case 2 => blocks.patch(random.nextInt(blocks.size), Seq(blocks(random.nextInt(blocks.size))), 1)
        case _ => blocks.patch(random.nextInt(blocks.size), Seq(others(random.nextInt(others.size))), 1)
      }
      if (mixed.map(_.toSeq) != blocks.map(_.toSeq))
        assert(damaged(mine, name, ids = false)(Blocks.replace(_, mixed)) == Set(name))
    }
  }

  /** The blocks of a file, with their heads. */
  private object Blocks {
    def of(file: Array[Byte]): Seq[Array[Byte]] = starts(file).sliding(2).map(s => file.slice(s(0), s(1))).toSeq

    def replace(file: Array[Byte], blocks: Seq[Array[Byte]]): Array[Byte] =
      file.take(FileHeader.Bytes) ++ blocks.flatten ++ file.drop(starts(file).last)

    /** Where each block starts, and where the end of the blocks lies. */
    private def starts(file: Array[Byte]): Seq[Int] = {
      val b = java.nio.ByteBuffer.wrap(file)
      def from(at: Int): List[Int] = if (b.getInt(at) == 0) List(at) else at :: from(at + 16 + b.getInt(at + 4))
      from(FileHeader.Bytes)
    }
  }
}
