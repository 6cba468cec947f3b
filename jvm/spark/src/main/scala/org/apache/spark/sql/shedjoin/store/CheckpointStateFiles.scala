package org.apache.spark.sql.shedjoin.store

import java.io.{BufferedInputStream, FilterInputStream, InputStream, OutputStream}

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{ChecksumException, Path}
import shedjoin.state.{DamagedStateFile, PendingFile, StateFiles}

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager

/** The directory of one partition's state in a query's checkpoint, through the checkpoint's own file manager. */
final class CheckpointStateFiles(directory: Path, hadoopConf: Configuration) extends StateFiles {
  private val manager = CheckpointFileManager.create(directory, hadoopConf)

  def path: String = directory.toString

  def makeDirectory(): Unit = manager.mkdirs(directory)

  def list(): Seq[String] = manager.list(directory).toSeq.map(_.getPath.getName)

  def open(name: String): InputStream = {
    val path = new Path(directory, name)
    new BufferedInputStream(new NamedDamage(manager.open(path), path), CheckpointStateFiles.ReadAheadBytes)
  }

  def create(name: String): PendingFile = new PendingFile {
    private val stream = manager.createAtomic(new Path(directory, name), overwriteIfPossible = true)
    def out: OutputStream = stream
    def commit(): Unit = stream.close()
    def cancel(): Unit = stream.cancel()
  }

  def delete(name: String): Unit = manager.delete(new Path(directory, name))

  /** Reads no more than that of the file, if the manager tells its length. */
  override def end(name: String, bytes: Int): Array[Byte] = {
    val path = new Path(directory, name)
    manager.list(path).headOption.fold(super.end(name, bytes)) { status =>
      Using.resource(manager.open(path)) { in =>
        in.seek(math.max(0, status.getLen - bytes))
        new NamedDamage(in, path).readNBytes(bytes)
      }
    }
  }

  override def nameToBe(name: String): Option[String] = name match {
    case CheckpointStateFiles.Unfinished(finished) => Some(finished)
    case _ => None
  }
}

object CheckpointStateFiles {

  /** How Spark's file managers name a file that is not yet whole. */
  private val Unfinished = """\.(.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.TID\d+)?\.tmp""".r
  private val ReadAheadBytes = 16 * 1024
}

/** Where a file system keeps checksums of its own, gives its error as ours, which names the file and says what to do. */
final private class NamedDamage(in: InputStream, path: Path) extends FilterInputStream(in) {

  override def read(): Int = named(super.read())

  override def read(to: Array[Byte], from: Int, length: Int): Int = named(super.read(to, from, length))

  private def named(read: => Int): Int =
    try read
    catch {
      case e: ChecksumException =>
        throw new DamagedStateFile(path.toString, "the file system's own checksum of it does not match", e)
    }
}
