package shedjoin.state

import java.nio.file.{Files, Path}
import java.util.Random

import scala.jdk.CollectionConverters._

/** Prints what a packer and an unpacker take of this process, in bytes; the process must do nothing else. */
object CodecMemory {
  private val Contexts = 200

  def main(args: Array[String]): Unit = {
    val blocks = (0 until 8).map(block)
    val packed = blocks.map(content => pack(new Packer(Frames.Zstd), content))
    println(takenBy { val one = new Packer(Frames.Zstd); blocks.foreach(pack(one, _)); one })
    println(takenBy {
      val one = new Unpacker; packed.zip(blocks).foreach { case (from, to) => unpack(one, from, to) }; one
    })
  }

  private def takenBy(made: => AnyRef): Long = {
    val before = residentBytes
    val all = List.fill(Contexts)(made)
    (residentBytes - before) / all.size
  }

  private def pack(packer: Packer, content: Array[Byte]): Array[Byte] = {
    val to = new Array[Byte](Frames.packedBound)
    java.util.Arrays.copyOf(to, packer.pack(content, content.length, to))
  }

  private def unpack(unpacker: Unpacker, from: Array[Byte], content: Array[Byte]): Unit = {
    val to = new Array[Byte](content.length)
    require(unpacker.unpack(from, from.length, to, to.length) && java.util.Arrays.equals(to, content))
  }

  /** From noise to nothing but repetition, so that all of a context's parts come to be used. */
  private def block(number: Int): Array[Byte] = {
    val random = new Random(number.toLong)
    Array.fill(Frames.BlockBytes)(random.nextInt(256 >> number).toByte)
  }

  private def residentBytes: Long = {
    val line = Files.readAllLines(Path.of("/proc/self/status")).asScala.find(_.startsWith("VmRSS")).get
    line.filter(_.isDigit).toLong * 1024
  }
}
