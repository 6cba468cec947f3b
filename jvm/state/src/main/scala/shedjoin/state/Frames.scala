package shedjoin.state

import java.nio.ByteBuffer

import com.github.luben.zstd.{Zstd => Codec, ZstdCompressCtx, ZstdDecompressCtx}
import shedjoin.core.Mixer

/** What reading and writing of state files share: the frame around blocks, and its trailer.
  *
  * {{{
  * block    4 length  4 stored length  4 CRC32C of the content  4 CRC32C of the stored bytes (from format 2 on)
  *          the stored bytes (equal lengths: not compressed)
  * end      4 zero
  * trailer  4 blocks  8 content bytes  8 chain  4 CRC32C of the 20 bytes before  8 magic "NIOJDEHS"
  * }}}
  *
  * The chain is folded over the checksums of all blocks, in a delta beginning with the chain of the version before: two
  * files with the same chain hold the same history.
  */
object Frames {
  val NoCodec = 0
  val Zstd = 1
  val BlockBytes: Int = 16 * 1024
  val TrailerBytes = 32
  private[state] val EndMagic = 0x4e494f4a44454853L

  /** Level 1, and the table of what was seen half as large as a block: no worse a ratio, and it stays in the caches. */
  private[state] val ZstdLevel = 1
  private[state] val ZstdHashLog = 12

  /** What zstd takes off the heap: bounds of what [[CodecMemorySuite]] measures. */
  val PackerBytes: Long = 128 * 1024
  val UnpackerBytes: Long = 96 * 1024

  /** What a writer and a reader take, their blocks included. */
  def writerBytes: Long = bufferBytes + PackerBytes
  def readerBytes: Long = bufferBytes + UnpackerBytes

  private def bufferBytes: Long = 2L * BlockBytes + packedBound + 256

  def packedBound: Int = Codec.compressBound(BlockBytes.toLong).toInt

  /** The chain that a trailer states, or what is wrong with it. */
  private[state] def chainIn(trailer: Array[Byte]): Either[String, Long] = {
    val b = ByteBuffer.wrap(trailer)
    if (trailer.length != TrailerBytes) Left("it is cut short")
    else if (b.getLong(24) != EndMagic) Left("the trailer's magic is wrong")
    else if (b.getInt(20) != FileHeader.checksum(trailer, 20)) Left("the trailer's checksum does not match")
    else Right(b.getLong(12))
  }

  private[state] def fold(chain: Long, checksum: Int): Long = {
    val h = (chain ^ (checksum & 0xffffffffL)) * Mixer.Golden
    h ^ (h >>> 29)
  }
}

/** Packs the blocks of one file. */
final class Packer(codec: Int) extends AutoCloseable {
  private val zstd = if (codec == Frames.NoCodec) None else Some(Packer.context())

  /** Packs a block and returns its stored length, equal to `length` when packing does not pay. */
  def pack(from: Array[Byte], length: Int, to: Array[Byte]): Int = {
    val packed = if (zstd.isEmpty) length else zstd.get.compressByteArray(to, 0, to.length, from, 0, length)
    if (packed < length) packed
    else {
      System.arraycopy(from, 0, to, 0, length)
      length
    }
  }

  def close(): Unit = zstd.foreach(_.close())
}

private object Packer {
  def context(): ZstdCompressCtx = new ZstdCompressCtx().setLevel(Frames.ZstdLevel).setHashLog(Frames.ZstdHashLog)
}

/** Unpacks the blocks of one file. */
final class Unpacker extends AutoCloseable {
  private val zstd = new ZstdDecompressCtx

  /** False if the bytes are not a block of this length; may also throw. */
  def unpack(from: Array[Byte], stored: Int, to: Array[Byte], length: Int): Boolean =
    if (stored == length) {
      System.arraycopy(from, 0, to, 0, length)
      true
    } else zstd.decompressByteArray(to, 0, length, from, 0, stored) == length

  def close(): Unit = zstd.close()
}
