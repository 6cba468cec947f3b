package shedjoin.state

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, FileNotFoundException, InputStream, OutputStream}
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._

/** A directory of state files in memory. */
final class MemoryFiles(val path: String = "memory") extends StateFiles {
  val content = new ConcurrentHashMap[String, Array[Byte]]

  /** How often a file was opened. */
  val opened = new AtomicInteger

  /** How many files are being written. */
  val pending = new AtomicInteger

  def list(): Seq[String] = content.keySet.asScala.toSeq
  def exists(name: String): Boolean = content.containsKey(name)
  def delete(name: String): Unit = content.remove(name)

  override def nameToBe(name: String): Option[String] =
    Option.when(name.startsWith(MemoryFiles.Begun))(name.stripPrefix(MemoryFiles.Begun))

  /** Leaves what a process leaves that is killed while it writes a file. */
  def begin(name: String): Unit = content.put(MemoryFiles.Begun + name, Array[Byte](1))

  def open(name: String): InputStream = {
    opened.incrementAndGet()
    new ByteArrayInputStream(Option(content.get(name)).getOrElse(throw new FileNotFoundException(name)))
  }

  def create(name: String): PendingFile = new PendingFile {
    private val bytes = new ByteArrayOutputStream
    pending.incrementAndGet()
    def out: OutputStream = bytes
    def commit(): Unit = {
      content.put(name, bytes.toByteArray)
      pending.decrementAndGet()
    }
    def cancel(): Unit = pending.decrementAndGet()
  }

  def copy(): MemoryFiles = {
    val other = new MemoryFiles(path)
    other.content.putAll(content)
    other
  }
}

object MemoryFiles {
  private val Begun = ".begun."
}
