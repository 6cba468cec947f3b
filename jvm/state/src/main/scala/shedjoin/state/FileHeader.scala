package shedjoin.state

import java.nio.ByteBuffer
import java.util.UUID
import java.util.zip.CRC32C

/** The first bytes of a state file, big-endian:
  *
  * {{{
  *  0  8  magic "SHEDJOIN"          16  8  version
  *  8  2  format, 2                 24  8  chain: of the version before (delta), of this version (snapshot)
  * 10  1  kind: 1 delta, 2 snapshot 32 16  id of this commit; 0 under checkpoint format 1
  * 11  1  codec: 0 none, 1 zstd     48 16  id of the commit it builds on; 0 if none
  * 12  4  bytes of a full block     64  4  CRC32C of the 64 bytes before
  * }}}
  */
final case class FileHeader(
    kind: Int,
    codec: Int,
    version: StateVersion,
    base: Option[UUID],
    chain: Long,
    format: Int = FileHeader.Format
) {

  def toBytes: Array[Byte] = {
    val b = ByteBuffer.allocate(FileHeader.Bytes)
    b.putLong(FileHeader.Magic).putShort(format.toShort).put(kind.toByte).put(codec.toByte)
    b.putInt(Frames.BlockBytes).putLong(version.number).putLong(chain)
    Seq(version.uid, base).foreach(id =>
      b.putLong(id.fold(0L)(_.getMostSignificantBits)).putLong(id.fold(0L)(_.getLeastSignificantBits))
    )
    b.putInt(FileHeader.checksum(b.array, FileHeader.Bytes - 4))
    b.array
  }
}

object FileHeader {
  val Bytes = 68
  val Format = 2

  /** The format whose blocks have no checksum of the stored bytes, and whose rows have all keys. */
  val OldestFormat = 1
  val Delta = 1
  val Snapshot = 2
  private val Magic = 0x534845444a4f494eL

  /** Reads a header, or says what is wrong with it. */
  def parse(bytes: Array[Byte]): Either[String, FileHeader] = {
    val b = ByteBuffer.wrap(bytes)
    val magic = b.getLong()
    val format = b.getShort().toInt
    val kind = b.get().toInt
    val codec = b.get().toInt
    val block = b.getInt()
    val number = b.getLong()
    val chain = b.getLong()
    val uid = id(b.getLong(), b.getLong())
    val base = id(b.getLong(), b.getLong())
    val sum = b.getInt()
    if (magic != Magic) Left("it is not a shedjoin state file (wrong magic)")
    else if (sum != checksum(bytes, Bytes - 4)) Left("the header's checksum does not match")
    else if (format < OldestFormat || format > Format)
      Left(s"it has format $format; this release reads formats $OldestFormat to $Format")
    else if (kind != Delta && kind != Snapshot) Left(s"it is of the unknown kind $kind")
    else if (codec != Frames.NoCodec && codec != Frames.Zstd) Left(s"it uses the unknown codec $codec")
    else if (block != Frames.BlockBytes) Left(s"it has blocks of $block bytes; allowed is ${Frames.BlockBytes}")
    else Right(FileHeader(kind, codec, StateVersion(number, uid), base, chain, format))
  }

  private[state] def checksum(bytes: Array[Byte], length: Int): Int = {
    val crc = new CRC32C
    crc.update(bytes, 0, length)
    crc.getValue.toInt
  }

  private def id(most: Long, least: Long): Option[UUID] =
    if (most == 0 && least == 0) None else Some(new UUID(most, least))
}
