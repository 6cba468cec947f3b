package shedjoin.state

import java.io.{FileNotFoundException, InputStream}
import java.nio.file.NoSuchFileException
import java.util.UUID

import scala.util.Using

import shedjoin.core.{Budget, BudgetExceeded}

/** Which files make up a version, and that they belong to one history. */
final class Lineage(files: StateFiles) {
  import Lineage._

  /** The files that make up `version`, from a snapshot, if there is one, to its own delta. */
  def filesOf(version: StateVersion): Vector[String] = {
    val present = files.list().toSet
    var found = Vector.empty[String]
    var at = version
    while (at.number > 0 && !present(at.snapshot)) {
      if (!present(at.delta)) throw new DamagedStateFile(s"${files.path}/${at.delta}", missing(version))
      found = at.delta +: found
      at = before(at)
    }
    if (at.number > 0) at.snapshot +: found else found
  }

  /** The version that a delta builds on. */
  def before(version: StateVersion): StateVersion =
    StateVersion(version.number - 1, if (version.uid.isEmpty) None else withReader(version.delta)(baseIn(version)))

  private def baseIn(version: StateVersion)(reader: FrameReader): Option[UUID] = {
    checkName(version.delta, reader)
    reader.header.base
  }

  /** Hands a file to `visitor` without knowing the chain before it, and returns the chains it states. For any thread: asks
    * nobody to give memory back.
    */
  def read(file: String, budget: Budget, visitor: StateVisitor): Chains =
    withReader(file) { reader =>
      checkName(file, reader)
      val after = content(reader, new RowBuffer(budget), visitor)
      val header = reader.header
      Chains(s"${files.path}/$file", header.chain, if (header.kind == FileHeader.Snapshot) header.chain else after)
    }

  def withReader[A](file: String)(f: FrameReader => A): A = {
    val in = open(file)
    try Using.resource(new FrameReader(in, s"${files.path}/$file"))(f)
    finally in.close()
  }

  /** Whole blocks can still be those of other files, and what they say nonsense, which the trailer tells only at the end. */
  private def content(reader: FrameReader, buffer: RowBuffer, visitor: StateVisitor): Long =
    try StateContent.read(reader, buffer, visitor)
    catch {
      case e @ (_: StateException | _: BudgetExceeded) => throw e
      case e @ (_: RuntimeException | _: AssertionError) =>
        throw reader.damaged("its content does not fit that of the files before it", e)
    }

  private def checkName(file: String, reader: FrameReader): Unit = {
    val header = reader.header
    val name = if (header.kind == FileHeader.Snapshot) header.version.snapshot else header.version.delta
    if (name != file) throw reader.damaged(s"it was written as $name")
  }

  private def open(file: String): InputStream =
    try files.open(file)
    catch {
      case e @ (_: FileNotFoundException | _: NoSuchFileException) =>
        throw new DamagedStateFile(s"${files.path}/$file", "it is missing", e)
    }
}

object Lineage {

  /** The chains of the histories that a file continues and ends. */
  final case class Chains(path: String, before: Long, after: Long) {
    def continues(older: Chains): Unit = followsOn(older.after)

    /** A first delta continues nothing. */
    def begins(): Unit = followsOn(0)

    private def followsOn(chain: Long): Unit = if (before != chain) throw new DamagedStateFile(path, OtherHistory)
  }

  private val OtherHistory = "it continues another history than that of the files before it"

  private def missing(version: StateVersion): String = s"it is missing, and version ${version.number} needs it"
}
