package shedjoin.state

import scala.util.Using

import shedjoin.core.{Budget, BudgetExceeded}

/** Work on the files of a partition beside its task: snapshots, and deleting what no retained version needs. */
final class StateMaintenance(files: StateFiles, settings: StateSettings) {
  private val lineage = new Lineage(files)
  @volatile private var lastSnapshot = 0L

  /** The version of the youngest snapshot that this object wrote, or 0. */
  def snapshotVersion: Long = lastSnapshot

  /** Does what is due for `version`, which the driver has committed. */
  def run(version: StateVersion, budget: Budget): Unit = {
    val needed = lineage.filesOf(version)
    val deltas = needed.count(_.endsWith(".delta"))
    if (deltas >= settings.deltasPerSnapshot)
      try snapshot(version, needed, budget)
      catch { case _: BudgetExceeded => () }
    deleteOld(version)
  }

  private def snapshot(version: StateVersion, needed: Vector[String], budget: Budget): Unit = {
    val merge = new FileMerge(lineage, needed, budget)
    val counted = merge.read(FileMerge.NoRows)
    val pending = files.create(version.snapshot)
    try {
      val header = FileHeader(FileHeader.Snapshot, settings.codec, version, None, counted.chain)
      Using.resource(new FrameWriter(pending.out, header)) { writer =>
        merge.write(counted, writer)
        writer.finish()
      }
      pending.commit()
      lastSnapshot = version.number
    } catch {
      case e: Throwable =>
        pending.cancel()
        throw e
    }
  }

  private def deleteOld(version: StateVersion): Unit = {
    val oldest = version.number - settings.versionsToRetain
    val present =
      files.list().flatMap(name => StateVersion.parse(name).map { case (v, isSnapshot) => (name, v, isSnapshot) })
    val base = present.collect { case (_, v, true) if v.number <= oldest => v.number }.maxOption
    base.foreach { keepFrom =>
      present.foreach { case (name, v, isSnapshot) =>
        if (v.number < keepFrom || (v.number == keepFrom && !isSnapshot)) files.delete(name)
      }
    }
  }
}
