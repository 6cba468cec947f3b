package shedjoin.state

import java.io.FileNotFoundException
import java.nio.file.NoSuchFileException

import scala.annotation.tailrec
import scala.collection.mutable
import scala.util.Using

import shedjoin.core.BudgetExceeded

/** Which files make up a version, and that they belong to one history.
  *
  * Under checkpoint format 1 a query that was taken back some versions writes new deltas in place of those it overtakes, but
  * snapshots of the overtaken history stay. So a snapshot counts only if the delta after it continues it; the snapshot of
  * the very version that is asked for, if it ends as that version's delta does. That delta may be gone, as maintenance
  * deletes it for a snapshot that counted: then the next delta continues it, or there is none yet. Under checkpoint format 2
  * a snapshot has the id of its version's commit, which is no other history's.
  */
final class Lineage(files: StateFiles) {
  import Lineage._

  /** What headers said of the deltas of commits with ids, which are never written again. */
  private val bases = mutable.HashMap.empty[StateVersion, StateVersion]

  /** The files that make up `version`, from a snapshot, if there is one, to its own delta. */
  def filesOf(version: StateVersion): Vector[String] = {
    val present = files.list().toSet
    var found = Vector.empty[String]
    var at = version
    while (at.number > 0 && !hasSnapshot(at, found.headOption, present)) {
      if (!present(at.delta)) throw new DamagedStateFile(s"${files.path}/${at.delta}", missing(version))
      found = at.delta +: found
      at = before(at)
    }
    if (at.number > 0) at.snapshot +: found else found
  }

  /** The youngest snapshot among the files `present` that `version` and all versions from `oldest` on can do with, if
    * there is one: none of them needs a file that is older.
    */
  def baseOf(version: StateVersion, oldest: Long, present: Set[String]): Option[StateVersion] = {
    var at = version
    var next: Option[String] = None
    while (at.number > math.max(oldest, 0) && present(at.delta)) {
      next = Some(at.delta)
      at = before(at)
    }
    if (at.number > oldest) None else snapshotUpTo(at, next, present)
  }

  @tailrec private def snapshotUpTo(
      at: StateVersion,
      next: Option[String],
      present: Set[String]
  ): Option[StateVersion] =
    if (at.number == 0) None
    else if (hasSnapshot(at, next, present)) Some(at)
    else if (present(at.delta)) snapshotUpTo(before(at), Some(at.delta), present)
    else None

  /** Forgets what it knows of versions before `number`. */
  def forgetBefore(number: Long): Unit = bases.filterInPlace((version, _) => version.number >= number)

  /** Whether there is a snapshot of this version, and it is of the history that goes on with the delta `next`. */
  private def hasSnapshot(at: StateVersion, next: Option[String], present: Set[String]): Boolean =
    present(at.snapshot) && (at.uid.isDefined || {
      val chain = headerOf(at.snapshot).chain
      def after = StateVersion(at.number + 1, None).delta
      if (next.isDefined) headerOf(next.get).chain == chain
      else if (present(at.delta)) chainAtEnd(at.delta) == chain
      else !present(after) || headerOf(after).chain == chain
    })

  /** The version that a delta builds on. */
  private def before(version: StateVersion): StateVersion =
    if (version.uid.isEmpty) StateVersion(version.number - 1, None)
    else bases.getOrElseUpdate(version, StateVersion(version.number - 1, headerOf(version.delta).base))

  private def headerOf(file: String): FileHeader = withReader(file) { reader =>
    checkName(file, reader)
    reader.header
  }

  /** The chain of the history that a delta ends. */
  private def chainAtEnd(file: String): Long =
    Frames.chainIn(unlessMissing(file)(files.end(_, Frames.TrailerBytes))) match {
      case Right(chain) => chain
      case Left(what) => throw new DamagedStateFile(s"${files.path}/$file", what)
    }

  /** Hands a file to `visitor` without knowing the chain before it, and returns the chains it states. */
  def read(file: String, visitor: StateVisitor): Chains =
    withReader(file) { reader =>
      checkName(file, reader)
      val after = content(reader, visitor, () => { withReader(file)(content(_, StateVisitor.Nobody, () => ())); () })
      val header = reader.header
      Chains(s"${files.path}/$file", header.chain, if (header.kind == FileHeader.Snapshot) header.chain else after)
    }

  private def withReader[A](file: String)(f: FrameReader => A): A = {
    val in = unlessMissing(file)(files.open)
    try Using.resource(new FrameReader(in, s"${files.path}/$file"))(f)
    finally in.close()
  }

  /** Whole blocks can still be those of other files, and what they say nonsense, which the trailer tells only at the end. */
  private def content(reader: FrameReader, visitor: StateVisitor, believe: () => Unit): Long =
    try new ContentReader(reader, visitor, believe).read()
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

  private def unlessMissing[A](file: String)(f: String => A): A =
    try f(file)
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
