package shedjoin.state

import java.io.{EOFException, InputStream}
import java.nio.ByteBuffer

/** Reads a state file and checks every byte of it; anything that is not as it was written is a [[DamagedStateFile]]. */
final class FrameReader(in: InputStream, path: String) extends AutoCloseable {
  private val block = new Array[Byte](Frames.BlockBytes)
  private val packed = new Array[Byte](math.max(Frames.packedBound, Frames.BlockBytes))
  private var used = 0
  private var filled = 0
  private var blocks = 0
  private var contentBytes = 0L

  val header: FileHeader = FileHeader.parse(exactly(FileHeader.Bytes)) match {
    case Right(header) => header
    case Left(what) => throw damaged(what)
  }
  private val unpacker = new Unpacker
  private var isOpen = true
  OpenFiles.opened(Frames.readerBytes)
  private var folded = if (header.kind == FileHeader.Delta) header.chain else 0L

  def getByte(): Int = {
    if (used == filled) fill()
    used += 1
    block(used - 1) & 0xff
  }

  def getVar(): Long = {
    var value = 0L
    var shift = 0
    var byte = getByte()
    while (byte >= 0x80) {
      value |= (byte & 0x7fL) << shift
      shift += 7
      if (shift > 63) throw damaged("a number is too long")
      byte = getByte()
    }
    value | (byte.toLong << shift)
  }

  def getSigned(): Long = {
    val coded = getVar()
    (coded >>> 1) ^ -(coded & 1)
  }

  def getLong(): Long = {
    var value = 0L
    var at = 0
    while (at < 8) {
      value = (value << 8) | getByte()
      at += 1
    }
    value
  }

  def getBytes(to: Array[Byte], from: Int, length: Int): Unit = {
    var done = 0
    while (done < length) {
      val part = piece(length - done)
      System.arraycopy(block, used, to, from + done, part)
      used += part
      done += part
    }
  }

  /** Hands the next bytes on, a block at a time. */
  def copyBytes(to: FrameWriter, length: Int): Unit = {
    var left = length
    while (left > 0) {
      val part = piece(left)
      to.putBytes(block, used, part)
      used += part
      left -= part
    }
  }

  /** Passes over the next bytes, which are checked as all are. */
  def skipBytes(length: Int): Unit = {
    var left = length
    while (left > 0) {
      val part = piece(left)
      used += part
      left -= part
    }
  }

  /** How many of the next `length` bytes are at hand, in the block; one at least. */
  private def piece(length: Int): Int = {
    if (used == filled) fill()
    math.min(length, filled - used)
  }

  /** Checks that the content ends here and the trailer is right, and returns the chain. */
  def finish(): Long = {
    if (used != filled) throw damaged("there is content after its end")
    if (exactInt() != 0) throw damaged("there is a block after the end of the content")
    val trailer = exactly(Frames.TrailerBytes)
    val chain = Frames.chainIn(trailer).fold(what => throw damaged(what), identity)
    val b = ByteBuffer.wrap(trailer)
    if (b.getInt() != blocks || b.getLong() != contentBytes || chain != folded)
      throw damaged("the trailer does not fit the content")
    if (in.read() != -1) throw damaged("there are bytes after the trailer")
    chain
  }

  /** Gives back what reading took; the stream stays open. */
  def close(): Unit = if (isOpen) {
    isOpen = false
    unpacker.close()
    OpenFiles.closed(Frames.readerBytes)
  }

  def damaged(what: String, cause: Throwable = null): DamagedStateFile = new DamagedStateFile(path, what, cause)

  private def fill(): Unit = {
    val length = exactInt()
    if (length == 0) throw damaged("its content ends too early")
    val stored = exactInt()
    val checksum = exactInt()
    val storedChecksum = if (header.format > FileHeader.OldestFormat) exactInt() else 0
    if (length < 0 || length > block.length || stored <= 0 || stored > packed.length)
      throw damaged("a block's length is wrong")
    exactly(packed, stored)
    if (header.format > FileHeader.OldestFormat && FileHeader.checksum(packed, stored) != storedChecksum)
      throw damaged(s"the checksum of what is stored of block $blocks does not match")
    val whole =
      try unpacker.unpack(packed, stored, block, length)
      catch { case e: RuntimeException => throw damaged("a block can not be unpacked", e) }
    if (!whole || FileHeader.checksum(block, length) != checksum)
      throw damaged(s"the checksum of block $blocks does not match")
    folded = Frames.fold(folded, checksum)
    contentBytes += length
    blocks += 1
    used = 0
    filled = length
  }

  private def exactInt(): Int = ByteBuffer.wrap(exactly(4)).getInt()

  private def exactly(length: Int): Array[Byte] = {
    val bytes = new Array[Byte](length)
    exactly(bytes, length)
    bytes
  }

  private def exactly(to: Array[Byte], length: Int): Unit = {
    var done = 0
    while (done < length) {
      val part =
        try in.read(to, done, length - done)
        catch { case e: EOFException => throw damaged("it is cut short", e) }
      if (part < 0) throw damaged("it is cut short")
      done += part
    }
  }
}
