package org.apache.spark.sql.shedjoin

import java.io.{BufferedInputStream, InputStream, OutputStream}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import shedjoin.state.{PendingFile, StateFiles}

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager

/** The directory of one partition's state in a query's checkpoint, through the checkpoint's own file manager. */
final class CheckpointStateFiles(directory: Path, hadoopConf: Configuration) extends StateFiles {
  private val manager = CheckpointFileManager.create(directory, hadoopConf)

  def path: String = directory.toString

  def makeDirectory(): Unit = manager.mkdirs(directory)

  def list(): Seq[String] = manager.list(directory).toSeq.map(_.getPath.getName)

  def exists(name: String): Boolean = manager.exists(new Path(directory, name))

  def open(name: String): InputStream =
    new BufferedInputStream(manager.open(new Path(directory, name)), CheckpointStateFiles.ReadAheadBytes)

  def create(name: String): PendingFile = new PendingFile {
    private val stream = manager.createAtomic(new Path(directory, name), overwriteIfPossible = true)
    def out: OutputStream = stream
    def commit(): Unit = stream.close()
    def cancel(): Unit = stream.cancel()
  }

  def delete(name: String): Unit = manager.delete(new Path(directory, name))
}

object CheckpointStateFiles {
  private val ReadAheadBytes = 16 * 1024
}
