package org.apache.spark.sql.shedjoin.recovery

import java.io.OutputStream

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, Path, PathFilter}

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream
import org.apache.spark.sql.execution.streaming.checkpointing.{
  CheckpointFileManager,
  FileSystemBasedCheckpointFileManager
}

/** Spark's own manager of checkpoint files, which comes by a crash point before and after each thing it does. */
final class HaltingFileManager(path: Path, hadoopConf: Configuration) extends CheckpointFileManager {
  private val real = new FileSystemBasedCheckpointFileManager(path, hadoopConf)

  override def createAtomic(path: Path, overwriteIfPossible: Boolean): CancellableFSDataOutputStream = {
    val kind = CrashPoint.kindOf(path.toString)
    CrashPoint.reached(kind, "create")
    new HaltingStream(kind, real.createAtomic(path, overwriteIfPossible))
  }

  override def delete(path: Path): Unit = {
    val kind = CrashPoint.kindOf(path.toString)
    CrashPoint.reached(kind, "delete")
    real.delete(path)
    CrashPoint.reached(kind, "deleted")
  }

  override def open(path: Path): FSDataInputStream = real.open(path)
  override def list(path: Path, filter: PathFilter): Array[FileStatus] = real.list(path, filter)
  override def mkdirs(path: Path): Unit = real.mkdirs(path)
  override def exists(path: Path): Boolean = real.exists(path)
  override def isLocal: Boolean = real.isLocal
  override def createCheckpointDirectory(): Path = real.createCheckpointDirectory()
}

/** A file that is being written, which comes by a crash point in its middle, and before and after its rename. */
final private class HaltingStream(kind: String, real: CancellableFSDataOutputStream)
    extends CancellableFSDataOutputStream(new HalfwayStream(kind, real)) {
  private var closed = false

  override def close(): Unit = if (!closed) {
    closed = true
    real.flush()
    CrashPoint.reached(kind, "rename")
    real.close()
    CrashPoint.reached(kind, "renamed")
  }

  override def cancel(): Unit = {
    closed = true
    real.cancel()
  }
}

/** Comes by a crash point when half of the first bytes are on disk. */
final private class HalfwayStream(kind: String, real: CancellableFSDataOutputStream) extends OutputStream {
  private var first = true

  override def write(byte: Int): Unit = real.write(byte)

  override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
    val half = if (first) length / 2 else 0
    real.write(bytes, offset, half)
    if (first) {
      first = false
      real.hflush()
      CrashPoint.reached(kind, "half written")
    }
    real.write(bytes, offset + half, length - half)
  }

  override def flush(): Unit = real.flush()
}
