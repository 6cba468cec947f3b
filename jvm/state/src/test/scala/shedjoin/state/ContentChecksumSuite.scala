package shedjoin.state

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}
import java.nio.ByteBuffer
import java.util.zip.CRC32C

import scala.util.{Random, Using}

import com.github.luben.zstd.Zstd
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

/** Blocks that are whole by the checksum of their stored bytes, but come to something else than what was written. */
class ContentChecksumSuite extends AnyFunSuite with Seeded {
  private val path = "dir/1.delta"

  private def someContent(random: Random): Array[Byte] = Array.fill(1 + random.nextInt(3000))(random.nextInt(9).toByte)

  /** A file of one block with that content. */
  private def file(codec: Int, content: Array[Byte]): Array[Byte] = {
    val out = new ByteArrayOutputStream
    val header = FileHeader(FileHeader.Delta, codec, StateVersion(1, None), None, 0)
    Using.resource(new FrameWriter(out, header)) { writer =>
      writer.putBytes(content, 0, content.length)
      writer.finish()
    }
    out.toByteArray
  }

  private def read(file: Array[Byte], length: Int): Array[Byte] =
    Using.resource(new FrameReader(new ByteArrayInputStream(file), path)) { reader =>
      val content = new Array[Byte](length)
      reader.getBytes(content, 0, length)
      reader.finish()
      content
    }

  /** The file with these stored bytes in its block, whose stored length and checksum are right for them. */
  private def holding(file: Array[Byte], stored: Array[Byte]): Array[Byte] = {
    val at = FileHeader.Bytes
    val end = at + 16 + ByteBuffer.wrap(file).getInt(at + 4)
    val checksum = new CRC32C
    checksum.update(stored, 0, stored.length)
    val head = ByteBuffer.allocate(16).put(file, at, 16).putInt(4, stored.length).putInt(12, checksum.getValue.toInt)
    file.take(at) ++ head.array ++ stored ++ file.drop(end)
  }

  private def changed(content: Array[Byte], random: Random): Array[Byte] = {
    val other = content.clone
    val at = random.nextInt(other.length)
    other(at) = (other(at) ^ (1 << random.nextInt(8))).toByte
    other
  }

  private def assertDamaged(file: Array[Byte], length: Int): Unit = {
    val e = intercept[DamagedStateFile](read(file, length))
    assert(e.path == path && e.id == "SHEDJOIN_DAMAGED_STATE_FILE")
  }

  test("whole blocks that have changed places") {
    histories(20) { random =>
      val content = Array.fill(3 * Frames.BlockBytes)(random.nextInt(256).toByte)
      val whole = file(Frames.NoCodec, content)
      val blocks = whole.slice(FileHeader.Bytes, whole.length).grouped(16 + Frames.BlockBytes).take(3).toVector
      def inOrder(order: Int*): Array[Byte] =
        whole.take(FileHeader.Bytes) ++ order.flatMap(blocks(_).toSeq) ++ whole.drop(
          FileHeader.Bytes + blocks.map(_.length).sum
        )
      assert(inOrder(0, 1, 2).sameElements(whole))
      Seq(Seq(1, 0, 2), Seq(2, 1, 0), Seq(0, 2, 1), Seq(0, 1, 1)).foreach(order =>
        assertDamaged(inOrder(order: _*), content.length)
      )
    }
  }

  test("a block that is stored as it is, with another content") {
    histories(300) { random =>
      val content = someContent(random)
      val whole = file(Frames.NoCodec, content)
      assert(holding(whole, content).sameElements(whole) && read(whole, content.length).sameElements(content))
      assertDamaged(holding(whole, changed(content, random)), content.length)
    }
  }

  test("a block that unpacks to another content, of the same length, shorter or longer") {
    histories(300) { random =>
      val content = Array.fill(400)(0.toByte) ++ someContent(random)
      val whole = file(Frames.Zstd, content)
      assert(read(holding(whole, Zstd.compress(content)), content.length).sameElements(content))
      val other = random.nextInt(3) match {
        case 0 => changed(content, random)
        case 1 => content.dropRight(1 + random.nextInt(9))
        case _ => content :+ 1.toByte
      }
      assertDamaged(holding(whole, Zstd.compress(other)), content.length)
    }
  }
}
