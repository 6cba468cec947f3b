package shedjoin.core.ledger

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget

/** What was found and what was lost, by the side of the earlier row.
  *
  * Lost results are those of ghosts that are remembered for certain, and those of sampled ones, by their weights; beside
  * them lie the sums from which the interval comes.
  */
final private[ledger] class LossSums(budget: Budget) {
  import LossSums._
  budget.reserve(LossSums.bytes)
  private val sums = new Array[Double](2 * Fields)

  def found(side: Int): Unit = sums(side * Fields + Found) += 1

  /** A stored row of `side` was in reach, but the rest of the condition did not hold. */
  def rejected(side: Int): Unit = sums(side * Fields + Rejected) += 1

  def certain(side: Int, results: Double): Unit = sums(side * Fields + Certain) += results

  /** The variance of what the edges of a bucket make of its results grew. */
  def edge(side: Int, variance: Double): Unit = sums(side * Fields + Edges) += variance

  /** Results of a sampled cell, weighted, and by how much they raised the variance and the third moment. */
  def sampled(side: Int, weighted: Double, variance: Double, cubes: Double): Unit = {
    sums(side * Fields + Sampled) += weighted
    sums(side * Fields + Variance) += variance
    sums(side * Fields + Cubes) += cubes
  }

  /** A ghost came that is sampled, remembered or not: what it was expected to lose, and its weight. */
  def offered(side: Int, score: Double, weight: Double): Unit = {
    sums(side * Fields + Expected) += score
    sums(side * Fields + ExpectedWeight) += score * weight
  }

  /** A row came whose key's ghosts would be sampled, the latest of so many of its key. */
  def gathered(side: Int, rows: Double): Unit = {
    sums(side * Fields + Gathered) += rows
    sums(side * Fields + Comers) += 1
  }

  def apply(side: Int, field: Int): Double = sums(side * Fields + field)

  /** The share of the stored candidates that passed the rest of the condition; 1 if none was seen. */
  def passShare(side: Int): Double = {
    val rejected = this(side, Rejected)
    val passed = this(side, Found)
    if (rejected == 0) 1 else passed / (passed + rejected)
  }

  def clear(): Unit = java.util.Arrays.fill(sums, 0)

  def save(out: DataOutput): Unit = sums.foreach(out.writeDouble)

  def restore(in: DataInput): Unit = sums.indices.foreach(sums(_) = in.readDouble())
}

private[ledger] object LossSums {
  val Found = 0
  val Rejected = 1
  val Certain = 2
  val Edges = 3
  val Sampled = 4
  val Variance = 5
  val Expected = 6
  val ExpectedWeight = 7
  val Cubes = 8
  val Gathered = 9
  val Comers = 10
  private val Fields = 11

  val bytes: Long = Budget.arrayBytes(2 * Fields, 8)
}
