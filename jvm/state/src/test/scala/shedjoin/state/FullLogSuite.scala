package shedjoin.state

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

/** A log in a memory of just the size that its bound allows: whatever sizes come and go, nothing is ever refused or lost. */
class FullLogSuite extends AnyFunSuite with Seeded {
  import FullLogSuite._

  Sizes.foreach { case (name, sizes) =>
    test(s"$name: a log takes nine eighths of what is alive and its fixed parts, whatever goes") {
      var copies = 0L
      var appends = 0L
      histories(8) { random =>
        val pageBytes = if (random.nextBoolean()) 16 * 1024 else 64 * 1024
        val full = new Full(pageBytes, liveLimit = 10L * pageBytes + random.nextInt(30 * pageBytes))
        val goes = Departures(random.nextInt(Departures.size))
        (0 until Steps).foreach { step =>
          (1 to PerStep).foreach(_ => full.add(sizes(step, random), lasts = random.nextInt(4) == 0, goes, random))
          if (random.nextInt(100) == 0) full.removeMost(random)
          full.check()
          if (random.nextInt(50) == 0) full.checkReclaimed()
        }
        full.checkAll()
        copies += full.copies
        appends += full.appends
      }
      info(f"${copies.toDouble / appends}%.3f copies a record")
    }
  }

  for (fill <- Seq(85, 90, 93); (name, sizes) <- Sizes.take(4))
    test(s"$fill % full, $name: records take the places of others, and next to none is copied") {
      val random = new Random(3)
      val full = new Full(16 * 1024, liveLimit = 2L << 20, limit = (2L << 20) * 100 / fill)
      (1 to 20000).foreach(_ => full.add(sizes(0, random), lasts = false, AnyRow, random))
      val before = full.copies
      (1 to 50000).foreach(_ => full.add(sizes(0, random), lasts = false, AnyRow, random))
      full.checkAll()
      val share = (full.copies - before) / 50000.0
      info(f"$share%.4f copies a record")
      assert(share < 0.01)
    }
}

object FullLogSuite {
  private val Steps = 400
  private val PerStep = 50

  /** The length of the next record at a step. */
  private type Lengths = (Int, Random) => Int

  private val Sizes: Seq[(String, Lengths)] = Seq(
    ("one size", (_, _) => 100),
    ("two sizes", (_, random) => if (random.nextBoolean()) 56 else 200),
    ("25 sizes", (_, random) => 40 + 16 * random.nextInt(25)),
    ("any sizes", (_, random) => random.nextInt(600)),
    ("sizes that grow", (step, random) => 8 + step * 2 + random.nextInt(8 + step)),
    ("sizes that shrink", (step, random) => 8 + (Steps - step) * 3 + random.nextInt(20)),
    ("sizes that grow and shrink", (step, random) => 16 + 16 * math.abs(step % 100 - 50) + random.nextInt(9)),
    ("sizes that alternate", (step, random) => if (step / 20 % 2 == 0) random.nextInt(40) else 900),
    ("sizes around that of a page of one's own", (_, random) => 960 + random.nextInt(100)),
    ("sizes up to many pages", (_, random) => (150000 * math.pow(random.nextDouble(), 12)).toInt),
    ("records of nothing and of a word", (step, _) => if (step / 10 % 3 == 0) 8 else 0)
  )

  /** Which of so many records goes, by its place in the order in which they came, as removals left it. */
  private type Departure = (Int, Random) => Int
  private val AnyRow: Departure = (count, random) => random.nextInt(count)
  private val Departures: Seq[Departure] = Seq(
    AnyRow,
    (_, _) => 0,
    (count, _) => count - 1,
    (count, random) => math.min(count - 1, random.nextInt(50)),
    (count, random) => if (random.nextInt(20) == 0) count - 1 else 0
  )

  /** What a log takes beside 9/8 of what is alive: the page set aside, two that are appended to, lists and first places. */
  private def fixedBytes(pageBytes: Int): Long = 3L * (pageBytes + 16) + 3000 + pageBytes / 16

  /** A log in a memory of `limit` bytes, and what is in it: not more than `liveLimit` bytes, heads included. */
  private class Full(pageBytes: Int, liveLimit: Long, limit: Long) extends RecordOwners {
    def this(pageBytes: Int, liveLimit: Long) = this(pageBytes, liveLimit, fixedBytes(pageBytes) + liveLimit * 9 / 8)

    private val budget = new Budget(limit)
    val log = new RowLog(budget, pageBytes, this)
    budget.reclaimFrom(log)
    private val addresses = new Array[Int](Most)
    private val contents = new Array[Array[Byte]](Most)

    /** The owners of what is stored, the first `count`, oldest first where they go in order; and who is free. */
    private val stored = new java.util.ArrayList[Integer]
    private val free = new java.util.ArrayDeque[Integer]
    private var unused = 0
    private var live = 0L
    var copies = 0L
    var appends = 0L

    def addressOf(owner: Int): Int =
      if (owner >= 0 && owner < unused && contents(owner) != null) addresses(owner) else -1
    def moved(owner: Int, address: Int): Unit = {
      copies += 1
      addresses(owner) = address
    }

    def add(length: Int, lasts: Boolean, goes: Departure, random: Random): Unit = {
      val size = sizeOf(length)
      while (live + size > liveLimit) removeAt(goes(stored.size, random))
      val owner = if (free.isEmpty) { unused += 1; unused - 1 }
      else free.pop().intValue
      val bytes = new Array[Byte](length)
      random.nextBytes(bytes)
      addresses(owner) = log.append(owner, bytes, 0, length, lasts)
      contents(owner) = bytes
      stored.add(owner): Unit
      live += size
      appends += 1
    }

    private def removeAt(place: Int): Unit = {
      val owner = stored.remove(place).intValue
      live -= sizeOf(contents(owner).length)
      contents(owner) = null
      free.push(owner)
      log.free(addresses(owner))
    }

    /** Leaves one record in `every` or so. */
    def removeMost(random: Random): Unit = {
      val every = 2 + random.nextInt(60)
      var place = stored.size - 1
      while (place >= 0) {
        if (random.nextInt(every) != 0) removeAt(place)
        place -= 1
      }
    }

    private def sizeOf(length: Int): Long = 8L + (length + 7) / 8 * 8

    def check(): Unit = {
      assert(log.liveBytes == live)
      assert(log.takenBytes == budget.usedBytes && budget.peakBytes <= budget.limitBytes)
      stored.forEach { owner =>
        val address = addresses(owner.intValue)
        val from = log.offset(address)
        val bytes = contents(owner.intValue)
        assert(log.length(address) == bytes.length && log.owner(address) == owner.intValue)
        assert(java.util.Arrays.equals(log.page(address), from, from + bytes.length, bytes, 0, bytes.length))
      }
    }

    def checkAll(): Unit = {
      check()
      log.checkInvariants()
    }

    /** When all asked for their memory back. */
    def checkReclaimed(): Unit = {
      while (log.reclaim()) ()
      checkAll()
      assert(log.takenBytes <= fixedBytes(pageBytes) + live * 9 / 8, s"$live bytes are alive")
    }
  }

  private val Most = 1 << 18
}
