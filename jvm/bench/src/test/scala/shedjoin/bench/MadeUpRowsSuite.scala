package shedjoin.bench

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.bench.data.{RowMaker, SideRows}
import shedjoin.bench.sink.{OutputHash, RowHash}
import shedjoin.bench.stream.Workloads

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

class MadeUpRowsSuite extends AnyFunSuite {
  private val Rows = 2000
  private val sides = new Workloads(rowsABatch = 500).all.flatMap(w => Seq(w.left, w.right)).filter(_.rowsABatch > 0)

  test("the same rows are made whatever the cuts, and different ones for each side and seed") {
    sides.distinct.foreach { side =>
      val whole = hash(side, Seq(0, Rows))
      assert(hash(side, Seq(0, 1, 700, Rows)) == whole)
      assert(hash(side.copy(seed = side.seed + 1), Seq(0, Rows)) != whole)
      assert(hash(side.copy(name = "other"), Seq(0, Rows)) != whole)
    }
  }

  test("what a side's rows look like goes through the options of a source") {
    sides.foreach(side => assert(SideRows.of(new CaseInsensitiveStringMap(side.options.asJava)) == side))
  }

  test("the hash of an output depends on its rows and how often they come, not on their order") {
    val side = sides.head
    val hashes = rows(side, Seq(0, Rows))(new RowHash(side.schema).of).toVector
    val shuffled = new scala.util.Random(1).shuffle(hashes)
    assert(sum(shuffled) == sum(hashes))
    assert(sum(hashes :+ hashes.head) != sum(hashes))
    assert(sum(hashes.updated(0, hashes(1))) != sum(hashes))
  }

  test("frequencies of skewed keys follow Zipf's law") {
    val side = sides.head.copy(keys = 1000, zipf = 1.1)
    val maker = new RowMaker(side)
    val draws = 200000
    val counts = (0 until draws).groupMapReduce(row => maker.key(row.toLong))(_ => 1)(_ + _)
    val scale = draws / (1 to side.keys).map(math.pow(_, -side.zipf)).sum
    for (rank <- Seq(1, 2, 5, 20, 100)) {
      val expected = scale * math.pow(rank, -side.zipf)
      assert(math.abs(counts(rank - 1L) - expected) < 6 * math.sqrt(expected), s"rank $rank")
    }
  }

  private def hash(side: SideRows, cuts: Seq[Int]): OutputHash = sum(
    rows(side, cuts)(new RowHash(side.schema).of).toSeq
  )

  private def sum(hashes: Seq[Long]): OutputHash = OutputHash(hashes.size.toLong, hashes.sum)

  /** `f` of each row of a side, made piece by piece. */
  private def rows[A](side: SideRows, cuts: Seq[Int])(f: InternalRow => A): Iterator[A] = {
    val columns = OnHeapColumnVector.allocateColumns(Rows, side.schema)
    val batch = new ColumnarBatch(columns.map(column => column: ColumnVector))
    cuts.iterator.zip(cuts.iterator.drop(1)).flatMap { case (from, until) =>
      new RowMaker(side).fill(columns, from.toLong, until - from)
      batch.setNumRows(until - from)
      batch.rowIterator.asScala.map(f)
    }
  }
}
