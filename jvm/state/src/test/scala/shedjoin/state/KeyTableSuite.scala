package shedjoin.state

import java.nio.ByteBuffer

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, BudgetExceeded, RefusingBudget, Seeded}

class KeyTableSuite extends AnyFunSuite with Seeded {

  /** Keys and what should be found; `hashBits` makes keys collide that are no words. */
  final private class Keyed(budget: Budget, hashBits: Int) extends RecordOwners {
    val keys = new KeyTable(budget)
    val log = new RowLog(budget, 1024, this)
    val model = mutable.HashMap.empty[ByteBuffer, (Int, Int)]

    def addressOf(owner: Int): Int = if (keys.isAddressed(owner)) keys.address(owner) else -1
    def moved(owner: Int, address: Int): Unit = keys.setAddress(owner, address)

    private def isWord(bytes: Array[Byte]) = WordKey.isOne(bytes, 0, bytes.length)
    private def code(bytes: Array[Byte]) = WordKey.codeOf(bytes, 0, bytes.length)
    private def hash(bytes: Array[Byte]): Int = WordKey.hash(code(bytes)) & (-1 >>> (32 - hashBits))
    def find(bytes: Array[Byte]): Int =
      if (isWord(bytes)) keys.findWord(code(bytes)) else keys.find(log, bytes, 0, bytes.length, hash(bytes))

    def hold(bytes: Array[Byte]): Unit = {
      val found = find(bytes)
      assert((found != KeyTable.NoKey) == model.contains(ByteBuffer.wrap(bytes)))
      val key = if (found != KeyTable.NoKey) found else add(bytes)
      keys.hold(key)
      val (known, holders) = model.getOrElse(ByteBuffer.wrap(bytes), (key, 0))
      assert(known == key, s"key $known has become $key")
      model(ByteBuffer.wrap(bytes)) = (key, holders + 1)
    }

    private def add(bytes: Array[Byte]): Int =
      if (isWord(bytes)) keys.addWord(code(bytes))
      else {
        val key = keys.add(hash(bytes))
        try keys.setAddress(key, log.append(key, bytes, 0, bytes.length))
        catch { case e: BudgetExceeded => keys.remove(key); throw e }
        key
      }

    private def written(key: Int): Array[Byte] = {
      val bytes = new Array[Byte](WordKey.Length)
      WordKey.write(keys.code(key), bytes)
      bytes
    }

    def letGo(bytes: ByteBuffer): Unit = {
      val (key, holders) = model(bytes)
      val isLast = keys.letGo(key)
      assert(isLast == (holders == 1))
      if (isLast) {
        if (!keys.isWord(key)) log.free(keys.address(key))
        keys.remove(key)
        model -= bytes
      } else model(bytes) = (key, holders - 1)
    }

    def check(): Unit = {
      keys.checkInvariants()
      log.checkInvariants()
      assert(keys.size == model.size)
      model.foreach { case (bytes, (key, _)) =>
        assert(find(bytes.array) == key)
        assert(keys.isWord(key) == isWord(bytes.array))
        if (keys.isWord(key)) assert(ByteBuffer.wrap(written(key)) == bytes)
      }
      val held = mutable.Set.empty[Int]
      keys.foreachKey(held += _)
      assert(held == model.values.map(_._1).toSet)
    }
  }

  /** Lengths about 0, 8 and 16, which are compared in other ways; long ones that differ at the end only. */
  private def someKey(random: Random, values: Int): Array[Byte] = {
    val bytes = new Array[Byte](Seq(0, 1, 7, 8, 15, 16, 17, 24, 2000)(random.nextInt(9)))
    val value = random.nextInt(values)
    if (bytes.length > 0) bytes(if (random.nextBoolean()) bytes.length - 1 else 0) = value.toByte
    bytes
  }

  Seq(1, 3, 32).foreach { bits =>
    test(s"keys are found, held and let go as in a hash map, with hashes of $bits bits") {
      histories(700) { random =>
        val keyed = new Keyed(Budget.unlimited, bits)
        val values = 1 + random.nextInt(12)
        (1 to 100).foreach { _ =>
          val any = keyed.model.keysIterator
          if (random.nextInt(3) == 0 && any.hasNext) keyed.letGo(any.drop(random.nextInt(keyed.model.size)).next())
          else keyed.hold(someKey(random, values))
          if (random.nextInt(20) == 0) keyed.check()
        }
        keyed.check()
      }
    }
  }

  for ((what, first) <- Seq("words" -> 0L, "longer keys" -> 1L))
    test(s"a hundred thousand $what come and go, and entries are used again") {
      val keyed = new Keyed(Budget.unlimited, 32)
      def bytes(i: Int): Array[Byte] = ByteBuffer.allocate(16).putLong(first).putLong(i * 0x123456789abcdL).array
      (0 until 100000).foreach(i => keyed.hold(bytes(i)))
      keyed.check()
      (0 until 100000).filter(_ % 10 != 0).foreach(i => keyed.letGo(ByteBuffer.wrap(bytes(i))))
      keyed.check()
      (100000 until 170000).foreach(i => keyed.hold(bytes(i)))
      keyed.check()
      assert(keyed.model.values.map(_._1).max < 100000, "new entries were taken though there were free ones")
    }

  test("a refused allocation, each in turn, leaves the table as it was") {
    var n = 1
    var refused = true
    while (refused) {
      val random = new Random(17)
      val budget = new RefusingBudget(1L << 40)
      val keyed = new Keyed(budget, 32)
      budget.watch(_ == n)
      (1 to 3000).foreach { i =>
        try keyed.hold(ByteBuffer.allocate(4 + random.nextInt(3)).putInt(i).array)
        catch { case _: BudgetExceeded => keyed.check() }
      }
      keyed.check()
      refused = budget.refusedCount > 0
      n += 1
    }
    assert(n > 10)
  }
}
