package shedjoin.state

import java.io.ByteArrayOutputStream

import scala.util.{Random, Using}

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.{JoinKind, JoinShape}
import shedjoin.core.{Budget, BudgetExceeded, Seeded}

/** Files whose checksums are right and whose numbers are not: an error that names them, before memory is taken for what
  * they say.
  */
class WellFormedFilesSuite extends AnyFunSuite with Seeded {
  import Histories._

  private val limited = 3L * 1024 * 1024

  private def settings(budget: Long) =
    StateSettings(budget, deltasPerSnapshot = 1, versionsToRetain = 100, codec = Frames.NoCodec)

  /** A file with this content, in a frame in order. */
  private def framed(header: FileHeader, content: Array[Byte]): Array[Byte] = {
    val out = new ByteArrayOutputStream
    Using.resource(new FrameWriter(out, header)) { writer =>
      writer.putBytes(content, 0, content.length)
      writer.finish()
    }
    out.toByteArray
  }

  /** The content of a file that is not packed, and its header. */
  private def contentOf(file: Array[Byte]): (FileHeader, Array[Byte]) = {
    val header = FileHeader.parse(file.take(FileHeader.Bytes)).fold(fail(_), identity)
    val b = java.nio.ByteBuffer.wrap(file)
    val out = new ByteArrayOutputStream
    var at = FileHeader.Bytes
    while (b.getInt(at) != 0) {
      out.write(file, at + 16, b.getInt(at))
      at += 16 + b.getInt(at)
    }
    (header, out.toByteArray)
  }

  private def written(random: Random, rows: Int): MemoryFiles = {
    val files = new MemoryFiles("dir")
    val state = new VersionedState(files, settings(StateSettings.Unlimited))
    val shape = shapeOf(JoinKind.FullOuter, someReach(random), JoinShape.NoBound)
    (0L until 3L).foreach { i =>
      val attempt = state.open(StateVersion(i, None))
      val open = attempt.state
      open.keysInRows = if (random.nextBoolean()) InRows else KeysInRows.Unknown
      val some = batches(random, 1, rows, 4, 60, someWide = false).head
      runBatch(open, some, shape)
      random.shuffle(allIds(open)).take(2).foreach(open.remove)
      attempt.commit()
    }
    files
  }

  /** Reads and merges the third version; the error it found, if it did. Any other error fails. */
  private def read(files: MemoryFiles, budget: Long): Option[RuntimeException] = {
    def attempt(f: => Any): Option[RuntimeException] =
      try { f; None }
      catch { case e @ (_: DamagedStateFile | _: BudgetExceeded) => Some(e.asInstanceOf[RuntimeException]) }
    val version = StateVersion(3, None)
    val opening = attempt(new VersionedState(files.copy(), settings(budget)).open(version))
    val beside = new Budget(math.min(budget, 40000L))
    val merging = attempt(new StateMaintenance(files.copy(), settings(budget)).run(version, beside))
    assert(beside.usedBytes == 0)
    opening.orElse(merging)
  }

  private def bytesOf(f: FrameWriter => Unit): Array[Byte] = {
    val header = FileHeader(FileHeader.Delta, Frames.NoCodec, StateVersion(1, None), None, 0)
    val out = new ByteArrayOutputStream
    Using.resource(new FrameWriter(out, header)) { writer =>
      f(writer)
      writer.finish()
    }
    contentOf(out.toByteArray)._2
  }

  /** One file of one row as these numbers describe it. */
  private def oneRow(taken: Long, id: Long, keyLength: Long, length: Long, count: Long = 1): MemoryFiles = {
    val content = bytesOf { to =>
      Seq(StateContent.Tick).foreach(to.putByte)
      to.putLong(7)
      to.putVar(taken)
      to.putVar(1)
      to.putByte(StateContent.Rows)
      to.putVar(count)
      to.putSigned(id)
      to.putByte(0)
      to.putVar(keyLength)
      to.putVar(length)
      to.putBytes(new Array[Byte](40), 0, 40)
      to.putByte(StateContent.End)
    }
    one(content)
  }

  private def one(content: Array[Byte]): MemoryFiles = {
    val files = new MemoryFiles("dir")
    files.content.put(
      "1.delta",
      framed(FileHeader(FileHeader.Delta, Frames.NoCodec, StateVersion(1, None), None, 0), content)
    )
    files
  }

  private def damage(files: MemoryFiles): DamagedStateFile = {
    def open(budget: Long) = new VersionedState(files, settings(budget)).open(StateVersion(1, None))
    val unlimited = intercept[DamagedStateFile](open(StateSettings.Unlimited))
    assert(intercept[DamagedStateFile](open(limited)).getMessage == unlimited.getMessage)
    unlimited
  }

  test("a row whose id is not below the number of rows taken is refused") {
    assert(new VersionedState(oneRow(1, 0, 16, 24), settings(limited)).open(StateVersion(1, None)).state.size == 1)
    Seq((1L, 1L), (5L, 400000000L), (400000000L, 400000000L), (0L, 0L)).foreach { case (taken, id) =>
      assert(damage(oneRow(taken, id, 16, 24)).getMessage.contains(s"it names row $id, and $taken rows were taken"))
    }
    Seq(StateContent.Removed, StateContent.Matched).foreach { section =>
      val content = bytesOf { to =>
        to.putByte(StateContent.Tick)
        to.putLong(7)
        to.putVar(9)
        to.putVar(0)
        to.putByte(section)
        to.putVar(1)
        to.putVar(400000000L)
        to.putByte(StateContent.End)
      }
      assert(damage(one(content)).getMessage.contains("it names row 400000000, and 9 rows were taken"))
    }
  }

  test("a length that the file does not have is refused before memory is taken for it") {
    val lengths = Seq(Int.MaxValue.toLong, Int.MaxValue - 8L, Int.MaxValue - 70L, 1L << 30, 1L << 40, -1L)
    lengths.foreach { length =>
      damage(oneRow(1, 0, 16, length))
      damage(oneRow(1, 0, length, 24))
    }
    damage(oneRow(1, 0, 1L << 30, 1L << 30))
    damage(oneRow(1, 0, Int.MaxValue - 80L, 70))
  }

  test("numbers that say where keys stand are refused where no key of so many words can be") {
    Seq(Seq(1L << 24), Seq(1L << 20, 8L), Seq(1L, 1L << 24, 0L, 0L), Seq(1L, 9L, 0L, 1L << 24)).foreach { numbers =>
      val content = bytesOf { to =>
        to.putByte(StateContent.Tick)
        to.putLong(7)
        to.putVar(1)
        to.putVar(1)
        to.putByte(StateContent.Keys)
        numbers.foreach(to.putVar)
        (1 to 3 << 20).foreach(_ => to.putVar(0))
        to.putByte(StateContent.End)
      }
      damage(one(content))
    }
  }

  test("numbers changed at random in files whose checksums are right end in a typed error, or in a state") {
    var errors = 0
    histories(2000) { random =>
      val files = written(random, 1 + random.nextInt(6))
      val name = s"${1 + random.nextInt(3)}.delta"
      val (header, content) = contentOf(files.content.get(name))
      val changes = 1 + random.nextInt(2)
      val changed = (1 to changes).foldLeft(content)((bytes, _) => changedAt(bytes, random))
      files.content.put(name, framed(header, changed))
      val budget = if (changes == 1 && random.nextBoolean()) StateSettings.Unlimited else limited
      read(files, budget).foreach(_ => errors += 1)
    }
    assert(errors > 500, s"$errors errors")
  }

  /** One byte is another one, or a number is, or comes between. */
  private def changedAt(bytes: Array[Byte], random: Random): Array[Byte] = {
    val at = if (random.nextInt(3) > 0) random.nextInt(math.min(bytes.length, 40)) else random.nextInt(bytes.length)
    if (random.nextInt(3) == 0) bytes.updated(at, random.nextInt(256).toByte)
    else {
      val number = Seq(400000000L, Int.MaxValue - random.nextInt(100).toLong, random.nextLong(), -1L)(random.nextInt(4))
      bytes.take(at) ++ bytesOf(_.putVar(number)) ++ bytes.drop(at + random.nextInt(2))
    }
  }
}
