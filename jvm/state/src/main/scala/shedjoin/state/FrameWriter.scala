package shedjoin.state

import java.io.OutputStream
import java.nio.ByteBuffer

/** Writes a state file: header, content in checked blocks, trailer. Closing it leaves the stream open. */
final class FrameWriter(out: OutputStream, header: FileHeader) extends AutoCloseable {
  // First, so that a writer that can not begin holds nothing that wants to be closed.
  out.write(header.toBytes)

  private val block = new Array[Byte](Frames.BlockBytes)
  private val packed = new Array[Byte](math.max(Frames.packedBound, Frames.BlockBytes))
  private val packer = new Packer(header.codec)
  private var isOpen = true
  OpenFiles.opened(Frames.writerBytes)
  private var used = 0
  private var blocks = 0
  private var contentBytes = 0L
  private var folded = if (header.kind == FileHeader.Delta) header.chain else 0L

  def putByte(value: Int): Unit = {
    if (used == block.length) flush()
    block(used) = value.toByte
    used += 1
  }

  /** Seven bits a byte, lowest first. */
  def putVar(value: Long): Unit = {
    var rest = value
    while ((rest & ~0x7fL) != 0) {
      putByte((rest.toInt & 0x7f) | 0x80)
      rest >>>= 7
    }
    putByte(rest.toInt)
  }

  /** A signed number, small when near zero. */
  def putSigned(value: Long): Unit = putVar((value << 1) ^ (value >> 63))

  def putLong(value: Long): Unit = {
    var shift = 56
    while (shift >= 0) {
      putByte((value >>> shift).toInt)
      shift -= 8
    }
  }

  def putBytes(bytes: Array[Byte], from: Int, length: Int): Unit = {
    var done = 0
    while (done < length) {
      if (used == block.length) flush()
      val part = math.min(length - done, block.length - used)
      System.arraycopy(bytes, from + done, block, used, part)
      used += part
      done += part
    }
  }

  def close(): Unit = if (isOpen) {
    isOpen = false
    packer.close()
    OpenFiles.closed(Frames.writerBytes)
  }

  /** Writes what is left and the trailer, and returns the chain. */
  def finish(): Long = {
    flush()
    val b = ByteBuffer.allocate(4 + Frames.TrailerBytes)
    b.putInt(0).putInt(blocks).putLong(contentBytes).putLong(folded)
    val trailer = java.util.Arrays.copyOfRange(b.array, 4, 24)
    b.putInt(FileHeader.checksum(trailer, trailer.length)).putLong(Frames.EndMagic)
    out.write(b.array)
    folded
  }

  private def flush(): Unit = if (used > 0) {
    val checksum = FileHeader.checksum(block, used)
    val stored = packer.pack(block, used, packed)
    val head =
      ByteBuffer.allocate(16).putInt(used).putInt(stored).putInt(checksum).putInt(FileHeader.checksum(packed, stored))
    out.write(head.array)
    out.write(packed, 0, stored)
    folded = Frames.fold(folded, checksum)
    contentBytes += used
    blocks += 1
    used = 0
  }
}
