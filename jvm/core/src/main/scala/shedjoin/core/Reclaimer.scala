package shedjoin.core

/** Something that can give memory back to its budget when the budget is full. */
trait Reclaimer {

  /** Gives some memory back; false when there is none to give. */
  def reclaim(): Boolean
}
