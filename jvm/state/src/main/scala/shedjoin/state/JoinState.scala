package shedjoin.state

import shedjoin.core.collection.{ChunkPool, IdPool}
import shedjoin.core.join.{JoinShape, RowStore, Side, StagedRows}
import shedjoin.core.{Budget, BudgetExceeded, NoRow}

/** The rows of both sides of one partition of a join, at one version, with what it takes to go back one.
  *
  * Representation: ids from `pool` name rows; `rows` holds their cells, `log` their bytes and those of most keys, `keys`
  * and `chains` find the rows of a key in the order of time, a wheel a side finds the expired. Between `begin` and the
  * next `begin` the journals say which ids were stored, removed and matched: the delta of this version is written from
  * them and `rollback` undoes them, before or after the version was committed. So a removed row keeps its id and its
  * bytes until the next version begins.
  *
  * Here and below, checks of a row are written without `assert`, which makes an object for its message.
  */
final class JoinState(val budget: Budget, pageBytes: Int) extends RowStore with StagedRows with RecordOwners {
  import JoinState._

  private val ofIndex = budget.part("index")
  private val ofBatch = budget.part("batch")
  budget.part("fixed").reserve(FixedBytes)
  private val log = new RowLog(budget.part("rows"), pageBytes, this)
  private val pages = log.pages
  private val rows = new RowTable(ofIndex)
  private val keys = new KeyTable(ofIndex)
  val keyBytes = new StateKeys(keys, log)
  private val chains = new KeyChains(rows, keys, ofIndex)
  private val pool = new IdPool(ofIndex)
  private val wheels = Array.fill(2)(new TimerWheel(rows))
  private val chunks = new ChunkPool(ofBatch, ChunkShift)
  private val staging = new Staging(pages, ofBatch, chunks)
  private val ahead = new ReadAhead(rows, keys, pages)
  private var expiryAhead = 0
  private val pending = new PendingKeys
  private[state] val journal = new Journal(ofBatch, chunks)

  /** Room to read back the longest key there is that does not fit `pending`. */
  private val longestKey = new RowBuffer(ofIndex, mayReclaim = true)
  longestKey.ensure(PendingKeys.Capacity)

  /** Where the keys of the rows stand in them, so that files can leave them out. */
  var keysInRows: KeysInRows = KeysInRows.Unknown
  private val counts = new Array[Long](2)

  /** The staged row that joins now. */
  private var stood = 0
  private var latest = Long.MinValue
  private var latestBefore = Long.MinValue
  private var taken = 0L
  private var takenBefore = 0L

  budget.reclaimFrom(() => chunks.reclaim() || log.reclaim())

  def size: Long = counts(0) + counts(1)
  def size(side: Int): Long = counts(side)

  /** The clock of this partition, which never goes back: the largest event time seen, or how many rows were taken as long
    * as none had a time, counted from long before all times that there are.
    */
  def tick: Long = math.max(latest, BeforeAllTimes + taken)

  def tickAt(time: Long): Long = {
    taken += 1
    if (time > latest && time != JoinShape.NoTime) latest = time
    tick
  }

  /** The largest event time seen, and how many rows were taken. */
  def latestTime: Long = latest
  def rowsTaken: Long = taken

  /** The page and the place in it of the bytes at `address`. */
  def page(address: Int): Array[Byte] = pages.page(address)
  def offset(address: Int): Int = pages.offset(address)
  def length(address: Int): Int = pages.length(address)

  def probeSteps: Long = chains.steps
  def deadBytes: Long = log.heldBytes - log.liveBytes

  /** Starts a version: what the last one removed is freed, so it can not be undone any more. O(changes of the last). */
  def begin(): Unit = {
    assert(staging.size == 0, s"${staging.size} rows staged")
    log.begin()
    inGroups(journal.removed)(releaseRow)
    journal.added.foreach(settleRow)
    journal.clear()
    chunks.begin()
    latestBefore = latest
    takenBefore = taken
    log.tidy()
  }

  /** Undoes every change since `begin`. O(changes). */
  def rollback(): Unit = {
    dropStaged()
    journal.added.foreach { id =>
      if (rows.isLinked(id)) detach(id)
      release(id)
    }
    journal.removed.foreach(id => if (pool.isTaken(id)) attach(id))
    journal.matched.foreach(id => if (pool.isTaken(id)) rows.setMatched(id, on = false))
    journal.clear()
    latest = latestBefore
    taken = takenBefore
  }

  /** Stages a copy of a row. Amortised O(length). */
  def stage(
      key: Array[Byte],
      keyFrom: Int,
      keyLength: Int,
      row: Array[Byte],
      from: Int,
      length: Int,
      time: Long
  ): Unit = {
    staging.ensureRoom()
    val owner = Owner.ofStaged(staging.size)
    staging.add(log.append(owner, row, from, length), KeyTable.NoKey, time)
    lookUp(owner, key, keyFrom, keyLength)
  }

  def arrange(): Int = {
    lookUpPending()
    staging.arrange()
    staging.size
  }

  def readAhead(from: Int, until: Int, probed: Int): Unit = ahead.tails(staging, from, until, probed)

  def standAt(place: Int): Unit = stood = staging.indexAt(place)
  def stagedKey: Int = staging.key(stood)
  def stagedTime: Long = staging.time(stood)
  def stagedAddress: Int = staging.address(stood)

  def store(side: Int, matched: Boolean): Int = {
    ensureRoomForRow(pool.bound)
    val address = staging.address(stood)
    val id = pool.take()
    pages.setOwner(address, id)
    put(id, address, staging.key(stood), side, staging.time(stood), matched)
    staging.settle(stood)
    id
  }

  /** The entry of the key of a row that lies outside, or [[KeyTable.NoKey]]. O(length) expected. */
  def find(row: OutsideRow): Int =
    keyBytes.find(row.key, row.keyFrom, row.keyLength, WordKey.codeOf(row.key, row.keyFrom, row.keyLength))

  /** Stores a copy of a row that lies outside, and returns its id. Amortised O(length). */
  def store(row: OutsideRow, matched: Boolean): Int = {
    ensureRoomForRow(pool.bound)
    val code = WordKey.codeOf(row.key, row.keyFrom, row.keyLength)
    val key = keyBytes.findOrAdd(row.key, row.keyFrom, row.keyLength, code)
    keys.hold(key)
    val id = pool.take()
    // Else the record of the row that had the id before would seem to be alive.
    rows.cells(id, RowTable.Address) = RowStore.NoAddress
    val address =
      try log.append(id, row.bytes, row.from, row.length)
      catch {
        case e: BudgetExceeded =>
          pool.free(id)
          keyBytes.letGo(key)
          throw e
      }
    put(id, address, key, row.side, row.time, matched)
    id
  }

  private def put(id: Int, address: Int, key: Int, side: Int, time: Long, matched: Boolean): Unit = {
    rows.put(id, address, key, side, time, matched)
    rows.setFresh(id, on = true)
    attach(id)
    journal.added.add(id)
  }

  def discard(): Unit = {
    log.free(staging.address(stood))
    keyBytes.letGo(staging.key(stood))
    staging.settle(stood)
  }

  def clearStaged(): Unit = staging.clear()

  def lastUpTo(key: Int, side: Int, time: Long): Int =
    if (key == KeyTable.NoKey) NoRow else chains.lastUpTo(key, side, time)
  def previous(row: Int): Int = chains.prev(row)
  def time(row: Int): Long = rows.time(row)
  def address(row: Int): Int = rows.address(row)
  def isMatched(row: Int): Boolean = rows.isMatched(row)
  def side(row: Int): Int = rows.side(row)

  /** The entry of a row's key; what it is, `keyBytes` says. */
  def key(row: Int): Int = rows.key(row)

  def markMatched(row: Int): Unit =
    if (!rows.isMatched(row)) {
      journal.addMatched(row)
      rows.setMatched(row, on = true)
    }

  /** Removes any stored row. O(1) expected. */
  def remove(row: Int): Unit = {
    if (!holds(row)) throw new AssertionError(s"row $row is not stored")
    journal.addRemoved(row)
    detach(row)
  }

  def firstExpired(side: Int, bound: Long): Int = {
    val row = wheels(side).firstUpTo(bound)
    if (expiryAhead == 0) {
      ahead.expiring(row)
      expiryAhead = ReadAhead.Rows
    }
    expiryAhead = if (row == NoRow) 0 else expiryAhead - 1
    row
  }

  def holds(row: Int): Boolean = pool.isTaken(row) && rows.isLinked(row)
  def isFresh(row: Int): Boolean = rows.isFresh(row)

  /** The entry of the key of each row that is staged and not yet stored. O(staged rows). */
  def foreachStagedKey(f: Int => Unit): Unit = {
    var index = 0
    while (index < staging.size) {
      if (staging.isWaiting(index) && staging.key(index) != KeyTable.NoKey) f(staging.key(index))
      index += 1
    }
  }

  /** Every stored id, ascending. O(largest id). */
  def foreachRow(f: Int => Unit): Unit = {
    var id = 0
    while (id < pool.bound) {
      if (holds(id)) f(id)
      id += 1
    }
  }

  /** Puts back a row as a file has it, under its own id and without a journal. Amortised O(length). */
  def restore(id: Int, side: Int, matched: Boolean, time: Long, bytes: RowBytes): Unit = {
    bytes.requirePresent()
    ensureRoomForRow(id)
    val key = longestKey.of(bytes.keyLength)
    val address = log.make(id, bytes.length)
    pool.takeThis(id)
    rows.put(id, address, 0, side, time, matched)
    if (bytes.keyInRow == null) bytes.readKey(key)
    bytes.readRow(log.page(address), log.offset(address), bytes.length)
    if (bytes.keyInRow != null) bytes.keyInRow.copy(log.page(address), log.offset(address), key)
    lookUp(id, key, 0, bytes.keyLength)
  }

  /** Refuses more than would fit this memory if it were read back from files, which may pack the pages less well than they
    * are. O(1).
    */
  def requireReopens(): Unit = {
    def more = log.mostBytes - log.takenBytes + budget.limitBytes / DirectoryParts
    def isThere = more <= budget.limitBytes - budget.usedBytes
    if (!isThere) chunks.reclaim(): Unit
    if (!isThere) throw budget.exceededBy(more)
  }

  /** Ends a run of `restore`, whose rows are not all stored before. */
  def settleRestored(latestTime: Long, rowsTaken: Long): Unit = {
    lookUpPending()
    longestKey.drop()
    log.settleRestored()
    latest = latestTime
    latestBefore = latestTime
    taken = rowsTaken
    takenBefore = rowsTaken
  }

  /** Hands the ids of `list` to `f`, their bytes and, if wanted, their keys having been read ahead. */
  private[state] def inGroups(list: IdList, withKeys: Boolean = true)(f: Int => Unit): Unit = {
    var place = 0
    while (place < list.size) {
      val until = math.min(place + ReadAhead.Rows, list.size)
      ahead.records(list, place, until, withKeys)
      while (place < until) {
        f(list(place))
        place += 1
      }
    }
  }

  private def ensureRoomForRow(id: Int): Unit = {
    journal.added.ensureRoom(1)
    chains.ensureRoom()
    pool.ensureRoom(id)
    rows.cells.ensure(id + 1)
  }

  private def attach(id: Int): Unit = {
    chains.link(id)
    attachLinked(id)
  }

  private def attachLinked(id: Int): Unit = {
    if (rows.time(id) != JoinShape.NoTime) wheels(rows.side(id)).add(id)
    rows.setLinked(id, on = true)
    counts(rows.side(id)) += 1
  }

  private def detach(id: Int): Unit = {
    chains.unlink(id)
    if (rows.time(id) != JoinShape.NoTime) wheels(rows.side(id)).remove(id)
    rows.setLinked(id, on = false)
    counts(rows.side(id)) -= 1
  }

  /** Frees a detached row's bytes and id; once only, though a journal may name it twice. */
  private def release(id: Int): Unit =
    if (pool.isTaken(id)) {
      log.free(rows.address(id))
      keyBytes.letGo(rows.key(id))
      pool.free(id)
    }

  /** What `begin` does to each row, made once. */
  private val releaseRow: Int => Unit = release
  private val settleRow: Int => Unit = id => if (rows.isLinked(id)) rows.setFresh(id, on = false)

  private def dropStaged(): Unit = {
    pending.clear()
    var index = 0
    while (index < staging.size) {
      if (staging.isWaiting(index)) {
        log.free(staging.address(index))
        if (staging.key(index) != KeyTable.NoKey) keyBytes.letGo(staging.key(index))
        staging.settle(index)
      }
      index += 1
    }
    staging.clear()
  }

  /** Finds or makes the key of a row, now or together with the next ones. */
  private def lookUp(owner: Int, key: Array[Byte], from: Int, length: Int): Unit = {
    if (!pending.fits(length)) lookUpPending()
    if (pending.fits(length)) pending.add(owner, key, from, length)
    else {
      longestKey.ensure(length)
      setKey(owner, keyBytes.findOrAdd(key, from, length, WordKey.codeOf(key, from, length)))
      if (owner >= 0) attachRestored(owner)
    }
  }

  private def lookUpPending(): Unit = {
    ahead.lookUps(pending)
    var place = 0
    while (place < pending.size) {
      val key = keyBytes.findOrAdd(pending.bytes, pending.from(place), pending.length(place), pending.code(place))
      setKey(pending.owner(place), key)
      place += 1
    }
    if (pending.size > 0 && pending.owner(0) >= 0) attachPending()
    pending.clear()
  }

  private def setKey(owner: Int, key: Int): Unit = {
    keys.hold(key)
    if (Owner.isRow(owner)) rows.setKey(owner, key) else staging.setKey(Owner.staged(owner), key)
  }

  /** Links rows that were read back, whose keys are known now; none of them is staged. */
  private def attachPending(): Unit = {
    ahead.ends(pending)
    var place = 0
    while (place < pending.size) {
      attachRestored(pending.owner(place))
      place += 1
    }
  }

  private def attachRestored(id: Int): Unit = {
    chains.ensureRoom()
    chains.linkOlder(id)
    attachLinked(id)
  }

  def addressOf(owner: Int): Int =
    if (Owner.isRow(owner)) { if (pool.isTaken(owner)) rows.address(owner) else RowStore.NoAddress }
    else if (Owner.isKey(owner)) keyBytes.addressOf(owner)
    else staging.address(Owner.staged(owner))

  def moved(owner: Int, address: Int): Unit =
    if (Owner.isRow(owner)) rows.cells(owner, RowTable.Address) = address
    else if (Owner.isKey(owner)) keyBytes.moved(owner, address)
    else staging.setAddress(Owner.staged(owner), address)

  /** Checks every structure against the others. O(everything). */
  def checkInvariants(): Unit = {
    log.checkInvariants()
    keys.checkInvariants()
    pool.checkInvariants()
    val stored = (0 until pool.bound).filter(holds)
    assert(stored.size == size, s"${stored.size} rows stored, $size counted")
    val byKey = stored.groupBy(id => (rows.key(id), rows.side(id)))
    keys.foreachKey(key =>
      for (side <- Seq(Side.Left, Side.Right)) chains.checkInvariants(key, side, byKey.getOrElse((key, side), Nil))
    )
    for (side <- Seq(Side.Left, Side.Right))
      wheels(side).checkInvariants(stored.filter(id => rows.side(id) == side && rows.time(id) != JoinShape.NoTime))
  }
}

object JoinState {

  /** Half as far back as a clock can show. */
  private val BeforeAllTimes = Long.MinValue / 2

  /** Of what is known of the rows of one batch. */
  private val ChunkShift = 10

  /** The directories of tables take no larger part of the memory; one that grows is there twice. */
  private val DirectoryParts = 1024

  /** The objects themselves, their fields and the wheels. */
  private val FixedBytes = 2 * TimerWheel.HeapBytes + ReadAhead.HeapBytes + PendingKeys.HeapBytes + 2048
}
