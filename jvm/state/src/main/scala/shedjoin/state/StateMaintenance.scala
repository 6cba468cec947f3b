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
  def run(version: StateVersion, budget: Budget): Unit = neededBy(version).foreach { needed =>
    val deltas = needed.count(_.endsWith(".delta"))
    if (deltas >= settings.deltasPerSnapshot)
      try snapshot(version, needed, budget)
      catch { case _: BudgetExceeded => () }
    deleteOld(version)
  }

  /** The files of `version`; nothing where the partition has gone on in another executor, which has deleted them. */
  private def neededBy(version: StateVersion): Option[Vector[String]] =
    try Some(lineage.filesOf(version))
    catch { case _: DamagedStateFile if isOutdated(version) => None }

  private def isOutdated(version: StateVersion): Boolean = {
    val names = files.list()
    val youngest = names.flatMap(StateVersion.parse(_)).map(_._1.number).maxOption.getOrElse(0L)
    !names.contains(
      version.delta
    ) && youngest > version.number && youngest >= version.number + settings.versionsToRetain
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

  /** Deletes what lies before the youngest snapshot of this history that all retained versions can do with: also files of
    * attempts that lost, of histories that were overtaken, and those begun by processes that were killed. No task writes
    * or reads so old a version any more.
    */
  private def deleteOld(version: StateVersion): Unit = {
    val oldest = version.number - settings.versionsToRetain
    val names = files.list()
    val old = names.flatMap(name => versionOf(name).map((name, _))).filter(_._2.number <= oldest)
    val snapshots = old.collect { case (name, at) if name == at.snapshot => at.number }
    if (snapshots.exists(number => old.count(_._2.number <= number) > 1))
      lineage.baseOf(version, oldest, names.toSet).foreach { base =>
        old.foreach { case (name, at) => if (at.number <= base.number && name != base.snapshot) files.delete(name) }
        lineage.forgetBefore(base.number)
      }
  }

  /** Which version a file is of, or is to be of. */
  private def versionOf(name: String): Option[StateVersion] =
    StateVersion.parse(files.nameToBe(name).getOrElse(name)).map(_._1)
}
