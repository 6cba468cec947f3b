package shedjoin.state

import shedjoin.core.collection.IntTable
import shedjoin.core.{Budget, NoRow}

/** The join keys that have rows, each with the chains of its rows of both sides: one look-up serves insert and probe.
  *
  * Representation: linear hashing (Litwin 1980). Buckets are the heads of chains of entries and grow one at a time, so no
  * rehash copies the whole; an entry is 32 bytes. The bytes of a key lie in the row log; those of a [[WordKey]] are in its
  * entry, as the code: its hash, and where others have the address its other half. An entry lives as long as someone holds
  * it: each stored or staged row holds its key once.
  */
final class KeyTable(budget: Budget) {
  import KeyTable._

  val cells = new IntTable(Stride, budget)
  private val buckets = new IntTable(1, budget, BucketChunkShift)
  private var bucketCount = 0
  private var roundMask = 0
  private var limit = 0
  private var freeEntry = NoKey
  private var held = 0

  /** How many keys there are. */
  def size: Int = held

  /** Whether the entry itself says the key's bytes; other keys have an address. */
  def isWord(key: Int): Boolean = (cells(key, Holders) & WordBit) != 0

  /** The code of a [[WordKey]]. */
  def code(key: Int): Long = cells(key, Address).toLong << 32 | (cells(key, Hash) & 0xffffffffL)

  def address(key: Int): Int = cells(key, Address)
  def setAddress(key: Int, address: Int): Unit = cells(key, Address) = address

  def head(key: Int, side: Int): Int = cells(key, Heads + side)
  def tail(key: Int, side: Int): Int = cells(key, Tails + side)
  def setHead(key: Int, side: Int, row: Int): Unit = cells(key, Heads + side) = row
  def setTail(key: Int, side: Int, row: Int): Unit = cells(key, Tails + side) = row

  /** Some part of an entry, read to have it at hand. */
  def touch(key: Int): Int = cells(key, Holders)

  def isHeld(key: Int): Boolean = key < limit && cells(key, Holders) >= 0

  /** The entry of the [[WordKey]] of this code, or [[KeyTable.NoKey]]. O(1) expected. */
  def findWord(code: Long): Int = {
    val hash = WordKey.hash(code)
    val other = (code >>> 32).toInt
    var key = firstOf(hash)
    while (key != NoKey) {
      val c = cells.chunk(key)
      val at = cells.base(key)
      if (c(at + Hash) == hash && c(at + Address) == other && (c(at + Holders) & WordBit) != 0) return key
      key = c(at + NextInBucket)
    }
    NoKey
  }

  /** Whether there is an entry of this number, and its key's bytes lie in the row log. */
  def isAddressed(key: Int): Boolean = isHeld(key) && !isWord(key)

  /** The entry of these bytes, which are no [[WordKey]], or [[KeyTable.NoKey]]. O(1) expected. */
  def find(log: RowLog, bytes: Array[Byte], from: Int, length: Int, hash: Int): Int = {
    var key = firstOf(hash)
    while (key != NoKey) {
      val c = cells.chunk(key)
      val at = cells.base(key)
      val isAlike = c(at + Hash) == hash && (c(at + Holders) & WordBit) == 0
      if (isAlike && sameBytes(log, c(at + Address), bytes, from, length)) return key
      key = c(at + NextInBucket)
    }
    NoKey
  }

  /** The entry at which a search for this hash begins, or `NoKey`. */
  def firstOf(hash: Int): Int = if (bucketCount == 0) NoKey else buckets(bucketOf(hash), 0) - 1

  /** The entry where a search for this hash that has come to `key` goes on: this one if its hash is that, else the next. */
  def thisOrNext(key: Int, hash: Int): Int = if (cells(key, Hash) == hash) key else cells(key, NextInBucket)

  /** Adds the entry of a [[WordKey]], held by nobody yet. O(1) expected. */
  def addWord(code: Long): Int = add(WordKey.hash(code), (code >>> 32).toInt, WordBit)

  /** Adds an entry whose bytes will be set by `setAddress`, held by nobody yet. O(1) expected. */
  def add(hash: Int): Int = add(hash, NoAddress, 0)

  private def add(hash: Int, address: Int, holders: Int): Int = {
    growBuckets()
    val key = takeEntry()
    val bucket = bucketOf(hash)
    val c = cells.chunk(key)
    val at = cells.base(key)
    c(at + Hash) = hash
    c(at + Address) = address
    c(at + Heads) = NoRow
    c(at + Heads + 1) = NoRow
    c(at + Tails) = NoRow
    c(at + Tails + 1) = NoRow
    c(at + Holders) = holders
    c(at + NextInBucket) = buckets(bucket, 0) - 1
    buckets(bucket, 0) = key + 1
    held += 1
    key
  }

  def hold(key: Int): Unit = cells(key, Holders) = cells(key, Holders) + 1

  /** Lets go of a key; true when nobody holds it any more, so that its bytes can be freed and it `remove`d. */
  def letGo(key: Int): Boolean = {
    val before = cells(key, Holders)
    if (before < 0 || (before & ~WordBit) == 0) throw new AssertionError(s"key $key is held by nobody")
    cells(key, Holders) = before - 1
    (before & ~WordBit) == 1
  }

  /** Removes an entry that nobody holds. O(1) expected. */
  def remove(key: Int): Unit = {
    if (head(key, 0) != NoRow || head(key, 1) != NoRow)
      throw new AssertionError(s"key $key has rows")
    val bucket = bucketOf(cells(key, Hash))
    val next = cells(key, NextInBucket)
    if (buckets(bucket, 0) - 1 == key) buckets(bucket, 0) = next + 1
    else {
      var before = buckets(bucket, 0) - 1
      while (cells(before, NextInBucket) != key) before = cells(before, NextInBucket)
      cells(before, NextInBucket) = next
    }
    cells(key, NextInBucket) = freeEntry
    cells(key, Holders) = Freed
    freeEntry = key
    held -= 1
  }

  private def takeEntry(): Int =
    if (freeEntry != NoKey) {
      val key = freeEntry
      freeEntry = cells(key, NextInBucket)
      key
    } else {
      assert(limit < RowTable.KeyLimit, s"$limit keys in one partition: raise spark.sql.shuffle.partitions")
      cells.ensure(limit + 1)
      limit += 1
      limit - 1
    }

  private def bucketOf(hash: Int): Int = {
    val wide = hash & roundMask
    if (wide < bucketCount) wide else hash & (roundMask >>> 1)
  }

  /** One more bucket whenever there are as many keys as buckets: the next one in turn is split in two. */
  private def growBuckets(): Unit =
    if (held >= bucketCount) {
      buckets.ensure(bucketCount + 1)
      val added = bucketCount
      bucketCount += 1
      if (added > roundMask) roundMask = (roundMask << 1) | 1
      buckets(added, 0) = 0
      if (added > 0) split(added & (roundMask >>> 1), added)
    }

  private def split(from: Int, to: Int): Unit = {
    var key = buckets(from, 0) - 1
    buckets(from, 0) = 0
    while (key != NoKey) {
      val next = cells(key, NextInBucket)
      val bucket = if ((cells(key, Hash) & roundMask) == to) to else from
      cells(key, NextInBucket) = buckets(bucket, 0) - 1
      buckets(bucket, 0) = key + 1
      key = next
    }
  }

  private def sameBytes(log: RowLog, address: Int, bytes: Array[Byte], from: Int, length: Int): Boolean = {
    val page = log.page(address)
    val at = log.offset(address)
    log.length(address) == length && java.util.Arrays.equals(page, at, at + length, bytes, from, from + length)
  }

  def foreachKey(f: Int => Unit): Unit = (0 until limit).filter(isHeld).foreach(f)

  def checkInvariants(): Unit = {
    val reached = (0 until bucketCount).map { bucket =>
      var key = buckets(bucket, 0) - 1
      var count = 0
      while (key != NoKey) {
        assert(bucketOf(cells(key, Hash)) == bucket, s"key $key lies in bucket $bucket")
        assert(isHeld(key), s"key $key in bucket $bucket is held by nobody")
        count += 1
        key = cells(key, NextInBucket)
      }
      count
    }.sum
    assert(reached == held, s"$reached keys in buckets, $held counted")
  }
}

object KeyTable {
  val Stride = 8
  private val Hash = 0
  private val Address = 1
  private val Heads = 2
  private val Tails = 4
  private val NextInBucket = 6
  private val Holders = 7

  /** Stands beside the count of holders in the entry of a [[WordKey]]. */
  private val WordBit = 1 << 30
  private val NoAddress = -1
  private val Freed = -1
  private val BucketChunkShift = 10

  val NoKey = -1
}
