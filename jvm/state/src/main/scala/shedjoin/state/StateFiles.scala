package shedjoin.state

import java.io.{InputStream, OutputStream}

import scala.util.Using

/** The directory of one partition's state, wherever it lies. */
trait StateFiles {

  /** Names the directory in errors. */
  def path: String
  def list(): Seq[String]
  def open(name: String): InputStream

  /** The last `bytes` of a file, or all of them if they are fewer. */
  def end(name: String, bytes: Int): Array[Byte] = Using.resource(open(name))(StateFiles.lastOf(_, bytes))

  /** A file that is not there before `commit`, and whole after it. An older one of the name is replaced. */
  def create(name: String): PendingFile
  def delete(name: String): Unit

  /** The name that a file is to have which lies under `name` until it is whole; `None` for any other file. */
  def nameToBe(name: String): Option[String] = None
}

object StateFiles {

  /** What the end of a stream has, at most `bytes` of it. O(stream). */
  private def lastOf(in: InputStream, bytes: Int): Array[Byte] = {
    val held = new Array[Byte](8192 + bytes)
    var filled = 0
    var read = in.read(held, 0, held.length)
    while (read >= 0) {
      filled += read
      if (filled == held.length) {
        System.arraycopy(held, filled - bytes, held, 0, bytes)
        filled = bytes
      }
      read = in.read(held, filled, held.length - filled)
    }
    held.slice(math.max(0, filled - bytes), filled)
  }
}

/** A file that is being written. */
trait PendingFile {
  def out: OutputStream
  def commit(): Unit
  def cancel(): Unit
}
