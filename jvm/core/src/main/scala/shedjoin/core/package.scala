package shedjoin

package object core {

  /** What stands for no row, where rows are named by ids of at least 0. */
  final val NoRow = -1
}
