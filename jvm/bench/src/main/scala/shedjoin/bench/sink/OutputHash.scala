package shedjoin.bench.sink

import org.apache.spark.sql.connector.write.WriterCommitMessage

/** What is known of an output, whatever order its rows came in: how many they are and the sum of their hashes. */
final case class OutputHash(rows: Long, sum: Long) extends WriterCommitMessage {
  def plus(other: OutputHash): OutputHash = OutputHash(rows + other.rows, sum + other.sum)
  override def toString: String = f"$rows%,d rows, hash $sum%016x"
}

object OutputHash {
  val Empty: OutputHash = OutputHash(0, 0)
}
