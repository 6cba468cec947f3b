package shedjoin.state

import java.io.{InputStream, OutputStream}

/** The directory of one partition's state, wherever it lies. */
trait StateFiles {

  /** Names the directory in errors. */
  def path: String
  def list(): Seq[String]
  def open(name: String): InputStream

  /** A file that is not there before `commit`, and whole after it. An older one of the name is replaced. */
  def create(name: String): PendingFile
  def delete(name: String): Unit
}

/** A file that is being written. */
trait PendingFile {
  def out: OutputStream
  def commit(): Unit
  def cancel(): Unit
}
