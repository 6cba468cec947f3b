package shedjoin.state

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, BudgetExceeded, RefusingBudget, Seeded}

class RowLogSuite extends AnyFunSuite with Seeded {
  import RowLogSuite._

  test("records follow a model, with removals at random, cleaning, and rows of nothing and of many pages") {
    histories(1500) { random =>
      val log = new Logged(Budget.unlimited)
      (1 to 120).foreach(_ => log.step(random, anyLength(random)))
      log.check()
    }
  }

  test("under a tight budget the log cleans what is dead before it gives up, and loses nothing either way") {
    var refused = 0
    histories(1500) { random =>
      val budget = new Budget(PageBytes * (5L + random.nextInt(12)))
      val log = new Logged(budget)
      (1 to 150).foreach { _ =>
        try log.step(random, anyLength(random))
        catch { case _: BudgetExceeded => refused += 1 }
        assert(budget.peakBytes <= budget.limitBytes)
      }
      log.check()
    }
    assert(refused > 1000, "the budgets were too large for this test")
  }

  test("a log with nothing dead in it gives up at once, whatever share of its pages the rows leave unused") {
    Seq(0.3, 0.51, 0.55, 0.6, 0.85, 0.99).foreach { share =>
      val budget = new Budget(PageBytes * 8L)
      val log = new Logged(budget)
      intercept[BudgetExceeded](while (true) log.append(new Array[Byte]((PageBytes * share).toInt)))
      assert(log.moves < 1000, s"${log.moves} records were moved in vain at $share of a page")
      log.check()
    }
  }

  test("records that last do not hold the pages of those that pass") {
    val log = new Logged(Budget.unlimited)
    (1 to 100).foreach { _ =>
      val passing = (1 to 100).map(_ => log.append(new Array[Byte](40)))
      log.append(new Array[Byte](40), lasts = true)
      passing.foreach(log.remove)
    }
    assert(log.log.heldBytes <= log.log.liveBytes + 2 * PageBytes)
    log.check()
  }

  test("more than half a page each: rows come and go in a full log for as long as one likes") {
    val random = new Random(3)
    val budget = new Budget(PageBytes * 8L + SparePages.DirectoryBytes)
    val log = new Logged(budget)
    (1 to 3000).foreach { _ =>
      if (log.size >= 5) log.remove(random)
      log.append(new Array[Byte](PageBytes / 2 + 100 + random.nextInt(100)))
    }
    log.check()
  }

  test("a stream at rest allocates no page, and a short budget gets the spare ones") {
    val budget = new Budget(PageBytes * 100L)
    val log = new Logged(budget)
    val row = new Array[Byte](100)
    def version(): Seq[Int] = {
      log.log.begin()
      (1 to 360).map(_ => log.append(row))
    }
    var old = version()
    val pages = (1 to 60).map { _ =>
      val young = version()
      old.foreach(log.remove)
      old = young
      log.pages
    }
    assert(pages.drop(5).reduce(_ ++ _).size <= 32, "the same pages all the time")
    assert(budget.usedBytes > log.log.heldBytes + 8L * PageBytes, "some are spare")
    (1 to 100).foreach(_ => log.log.begin())
    assert(log.log.takenBytes < log.log.heldBytes + 4L * PageBytes + SparePages.DirectoryBytes, "none after a while")
    intercept[BudgetExceeded](while (true) log.append(row))
    assert(budget.usedBytes > budget.limitBytes - 2 * PageBytes)
    log.check()
  }

  test("a directory that is full does not stop the cleaner") {
    val random = new Random(5)
    (14 to 18).foreach { pages =>
      val budget = new RefusingBudget(PageBytes * 40L)
      val log = new Logged(budget)
      while (log.log.heldBytes < PageBytes * pages.toLong) log.append(new Array[Byte](90))
      (1 to log.size / 2).foreach(_ => log.remove(random))
      budget.watch(_ => true)
      var more = true
      while (more) more = log.log.reclaim()
      assert(log.log.heldBytes < PageBytes * 12L, s"${log.log.heldBytes} bytes held of $pages pages")
      log.check()
    }
  }

  test("cleaning gives back nearly all that is dead") {
    val random = new Random(11)
    val budget = Budget.unlimited
    val log = new Logged(budget)
    (1 to 5000).foreach(_ => log.append(new Array[Byte](random.nextInt(60))))
    (1 to 4500).foreach(_ => log.remove(random))
    var more = true
    while (more) more = log.log.reclaim()
    log.check()
    assert(log.log.heldBytes <= log.log.liveBytes * 8 / 7 + 2 * PageBytes, s"${log.log.heldBytes} ${log.log.liveBytes}")
    while (log.size > 0) log.remove(random)
    assert(log.log.liveBytes == 0 && log.log.heldBytes <= PageBytes)
  }

  test("a refused allocation, each in turn, leaves the log as it was") {
    histories(60) { random =>
      var n = 1
      var refused = true
      while (refused) {
        val budget = new RefusingBudget(1L << 40)
        val log = new Logged(budget)
        budget.watch(_ == n)
        (1 to 60).foreach { _ =>
          try log.step(random, anyLength(random))
          catch { case _: BudgetExceeded => log.check() }
        }
        log.check()
        refused = budget.refusedCount > 0
        n += 1
      }
      assert(n > 3)
    }
  }

  test(
    "a log of the same records in another order takes no more than the log says, of any sizes and after any removals"
  ) {
    histories(600) { random =>
      val log = new Logged(if (random.nextBoolean()) Budget.unlimited else new Budget(PageBytes * 100L))
      val (least, spread) = (random.nextInt(PageBytes), 1 + random.nextInt(PageBytes))
      def length() =
        if (random.nextInt(3) == 0) anyLength(random) else (least + random.nextInt(spread)) / (1 + random.nextInt(3))
      try (1 to 20 + random.nextInt(200)).foreach(_ => log.step(random, length()))
      catch { case _: BudgetExceeded => () }
      val budget = new Budget(log.log.mostBytes)
      val other = new Logged(budget)
      random.shuffle(log.records).foreach { case (bytes, lasts) => other.append(bytes, lasts) }
      assert(budget.peakBytes <= budget.limitBytes)
      other.check()
    }
  }

  test("a page that was cut is cleaned, reused and given back as others are") {
    val random = new Random(7)
    val budget = new Budget(PageBytes * 40L)
    val log = new Logged(budget)
    def fill(): Unit = try while (true) log.append(new Array[Byte](300 + random.nextInt(212)))
    catch { case _: BudgetExceeded => () }
    fill()
    val first = log.log.liveBytes
    assert(log.log.heldBytes <= first + first / 100 + 2 * PageBytes, "nothing is left unused in a full log")
    (1 to 50).foreach { _ =>
      (1 to log.size / 3).foreach(_ => log.remove(random))
      fill()
      log.check()
      assert(log.log.liveBytes > first * 3 / 4, s"${log.log.liveBytes} of $first bytes")
    }
    while (log.size > 0) log.remove(random)
    log.check()
  }

  private def anyLength(random: Random): Int = random.nextInt(20) match {
    case 0 => PageBytes + random.nextInt(3 * PageBytes)
    case 1 => 0
    case 2 => PageBytes - 8 - random.nextInt(3)
    case 3 => PageBytes / 2 + random.nextInt(20)
    case _ => random.nextInt(120)
  }
}

object RowLogSuite {
  val PageBytes = 4096

  /** A log and what should be in it. */
  final class Logged(budget: Budget) extends RecordOwners {
    private val model = mutable.HashMap.empty[Int, Array[Byte]]
    private val lasting = mutable.HashSet.empty[Int]
    private val addresses = mutable.HashMap.empty[Int, Int]
    private val ids = mutable.ArrayBuffer.empty[Int]
    private var nextId = 0
    var moves = 0
    val log = new RowLog(budget, PageBytes, this)
    budget.reclaimFrom(log)

    def size: Int = ids.size
    def addressOf(owner: Int): Int = addresses.getOrElse(owner, -1)

    def moved(owner: Int, address: Int): Unit = {
      moves += 1
      assert(moves < 1000000, "the log cleans in circles")
      addresses(owner) = address
    }

    def append(bytes: Array[Byte], lasts: Boolean = false): Int = {
      val address = log.append(nextId, bytes, 0, bytes.length, lasts)
      addresses(nextId) = address
      model(nextId) = bytes
      if (lasts) lasting += nextId
      ids += nextId
      nextId += 1
      nextId - 1
    }

    def remove(random: Random): Unit = remove(ids(random.nextInt(ids.size)))

    def remove(id: Int): Unit = {
      ids(ids.indexOf(id)) = ids.last
      ids.dropRightInPlace(1)
      log.free(addresses(id))
      addresses -= id
      model -= id
    }

    def step(random: Random, length: Int): Unit = {
      random.nextInt(10) match {
        case 0 => log.reclaim()
        case 1 =>
          log.begin()
          log.tidy()
        case 2 | 3 | 4 | 5 if ids.nonEmpty => remove(random)
        case _ =>
          val bytes = new Array[Byte](length)
          random.nextBytes(bytes)
          append(bytes, lasts = random.nextInt(3) == 0)
      }
      assert(log.liveBytes == model.values.map(b => RowPages.recordBytes(b.length).toLong).sum)
      if (random.nextInt(10) == 0) check()
    }

    /** The bytes of all records, and whether they last. */
    def records: Seq[(Array[Byte], Boolean)] = model.toSeq.map { case (id, bytes) => (bytes, lasting(id)) }

    /** The pages that rows lie in, each the same object as ever. */
    def pages: Set[AnyRef] = addresses.values.map(log.page).toSet[AnyRef]

    def check(): Unit = {
      log.checkInvariants()
      assert(log.takenBytes == budget.usedBytes)
      model.foreach { case (id, bytes) =>
        val address = addresses(id)
        val from = log.offset(address)
        assert(log.length(address) == bytes.length && log.owner(address) == id)
        assert(
          java.util.Arrays.equals(log.page(address), from, from + bytes.length, bytes, 0, bytes.length),
          s"row $id"
        )
      }
    }
  }
}
