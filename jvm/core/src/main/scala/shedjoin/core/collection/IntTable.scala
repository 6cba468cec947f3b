package shedjoin.core.collection

import shedjoin.core.Budget

/** A growing table of rows of `stride` ints, counted in a budget.
  *
  * Representation: chunks from `source` behind a directory. Growing adds a chunk and copies no row; only the
  * directory, an eighth of a per cent of the whole or less, is copied, with both counted while both exist. Cells of a
  * new chunk are 0. `stride` is a power of two, so no row spans two chunks.
  */
final class IntTable(val stride: Int, budget: Budget, source: ChunkSource) {
  assert(Integer.bitCount(stride) == 1, s"stride $stride is not a power of two")
  private val strideShift = Integer.numberOfTrailingZeros(stride)
  private val rowShift = source.chunkShift - strideShift
  private val rowMask = (1 << rowShift) - 1
  private var chunkCount = 0
  private var chunks: Array[Array[Int]] = {
    budget.reserve(Budget.arrayBytes(IntTable.FirstDirectory, 8))
    new Array[Array[Int]](IntTable.FirstDirectory)
  }

  def this(stride: Int, budget: Budget, chunkShift: Int = IntTable.ChunkShift) =
    this(stride, budget, new ChunkSource.Fresh(budget, chunkShift))

  /** How many rows there is room for. */
  def capacity: Int = chunkCount << rowShift

  /** The chunk that holds `row`; its cells start at `base(row)`. O(1). */
  def chunk(row: Int): Array[Int] = chunks(row >>> rowShift)
  def base(row: Int): Int = (row & rowMask) << strideShift

  def apply(row: Int, field: Int): Int = chunks(row >>> rowShift)(((row & rowMask) << strideShift) + field)

  def update(row: Int, field: Int, value: Int): Unit =
    chunks(row >>> rowShift)(((row & rowMask) << strideShift) + field) = value

  def getLong(row: Int, field: Int): Long = {
    val c = chunk(row)
    val at = base(row) + field
    (c(at).toLong << 32) | (c(at + 1) & 0xffffffffL)
  }

  def putLong(row: Int, field: Int, value: Long): Unit = {
    val c = chunk(row)
    val at = base(row) + field
    c(at) = (value >>> 32).toInt
    c(at + 1) = value.toInt
  }

  /** Makes room for `rows` rows, or throws [[shedjoin.core.BudgetExceeded]] with every row as it was. O(1) amortised. */
  def ensure(rows: Int): Unit = while (capacity < rows) addChunk()

  /** Gives back the chunks that hold no row below `rows`. O(chunks freed). */
  def trim(rows: Int): Unit =
    while (chunkCount > 0 && ((chunkCount - 1) << rowShift) >= rows) {
      chunkCount -= 1
      source.give(chunks(chunkCount))
      chunks(chunkCount) = null
    }

  private def addChunk(): Unit = {
    if (chunkCount == chunks.length) growDirectory()
    chunks(chunkCount) = source.take()
    chunkCount += 1
  }

  private def growDirectory(): Unit = {
    val wider = chunks.length * 2
    budget.reserve(Budget.arrayBytes(wider, 8))
    val copy = java.util.Arrays.copyOf(chunks, wider)
    budget.release(Budget.arrayBytes(chunks.length, 8))
    chunks = copy
  }
}

object IntTable {
  val ChunkShift = 12
  private val FirstDirectory = 8
}
