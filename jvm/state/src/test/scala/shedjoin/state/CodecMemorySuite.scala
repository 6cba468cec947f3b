package shedjoin.state

import java.nio.file.{Files, Path}

import scala.sys.process._

import org.scalatest.funsuite.AnyFunSuite

/** What the budget counts for memory that zstd takes off the heap, where no one sees it. */
class CodecMemorySuite extends AnyFunSuite {

  test("a packer and an unpacker take no more than is counted, measured from outside") {
    assume(Files.exists(Path.of("/proc/self/status")), "the memory of a process is read in Linux's way")
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString
    val heap = Seq("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-Xint")
    val command = (java +: heap) ++ Seq("-cp", System.getProperty("java.class.path"), "shedjoin.state.CodecMemory")
    val Seq(packer, unpacker) = command.!!.linesIterator.map(_.toLong).toSeq: @unchecked
    info(s"a packer takes $packer bytes, an unpacker $unpacker")
    assert(packer > 16 * 1024 && packer <= Frames.PackerBytes)
    assert(unpacker > 1024 && unpacker <= Frames.UnpackerBytes)
  }
}
