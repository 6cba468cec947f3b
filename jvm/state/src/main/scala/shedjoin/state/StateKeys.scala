package shedjoin.state

import shedjoin.core.BudgetExceeded
import shedjoin.core.join.RowStore

/** The keys of stored and staged rows, by their entries, and their bytes: those of a [[WordKey]] follow from the entry, those
  * of others are a record of the log.
  */
final class StateKeys(entries: KeyTable, log: RowLog) {

  private val word = new Array[Byte](WordKey.Length)

  /** The array with the bytes of a key, where in it they begin, and how many they are; until the next key is asked for, or
    * memory is taken.
    */
  def page(key: Int): Array[Byte] =
    if (!entries.isWord(key)) log.page(entries.address(key))
    else {
      WordKey.write(entries.code(key), word)
      word
    }
  def offset(key: Int): Int = if (entries.isWord(key)) 0 else log.offset(entries.address(key))
  def length(key: Int): Int = if (entries.isWord(key)) WordKey.Length else log.length(entries.address(key))

  /** The entry of these bytes, whose code is known, or [[KeyTable.NoKey]]. O(length) expected. */
  private[state] def find(bytes: Array[Byte], from: Int, length: Int, code: Long): Int =
    if (WordKey.isOne(bytes, from, length)) entries.findWord(code)
    else entries.find(log, bytes, from, length, WordKey.hash(code))

  /** The entry of these bytes; made if there is none. O(length) expected. */
  private[state] def findOrAdd(bytes: Array[Byte], from: Int, length: Int, code: Long): Int = {
    val found = find(bytes, from, length, code)
    if (found != KeyTable.NoKey) found
    else if (WordKey.isOne(bytes, from, length)) entries.addWord(code)
    else addLong(bytes, from, length, WordKey.hash(code))
  }

  private def addLong(bytes: Array[Byte], from: Int, length: Int, hash: Int): Int = {
    val key = entries.add(hash)
    try entries.setAddress(key, log.append(Owner.ofKey(key), bytes, from, length, lasts = true))
    catch { case e: BudgetExceeded => entries.remove(key); throw e }
    key
  }

  /** A row lets go of its key, which goes with the last one. O(1) expected. */
  private[state] def letGo(key: Int): Unit =
    if (entries.letGo(key)) {
      if (!entries.isWord(key)) log.free(entries.address(key))
      entries.remove(key)
    }

  /** As [[RecordOwners]] has them, for the owners that are keys. */
  private[state] def addressOf(owner: Int): Int =
    if (entries.isAddressed(Owner.key(owner))) entries.address(Owner.key(owner)) else RowStore.NoAddress
  private[state] def moved(owner: Int, address: Int): Unit = entries.setAddress(Owner.key(owner), address)
}
