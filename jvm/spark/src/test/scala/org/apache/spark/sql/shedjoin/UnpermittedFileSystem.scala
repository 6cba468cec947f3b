package org.apache.spark.sql.shedjoin

import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.fs.{LocalFileSystem, Path, RawLocalFileSystem}

/** Hadoop's local file system, but that it starts no process to set the permissions of each file it makes. */
final class UnpermittedFileSystem extends LocalFileSystem(new UnpermittedFileSystem.Raw)

object UnpermittedFileSystem {

  /** What makes a session use it. */
  val Conf: (String, String) = "spark.hadoop.fs.file.impl" -> classOf[UnpermittedFileSystem].getName

  final private class Raw extends RawLocalFileSystem {
    override def setPermission(path: Path, permission: FsPermission): Unit = ()
  }
}
