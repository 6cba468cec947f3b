package shedjoin.state

import java.util.UUID

/** A version of a partition's state: its number, and under checkpoint format 2 which attempt's it is. */
final case class StateVersion(number: Long, uid: Option[UUID]) {
  private def name: String = uid.fold(number.toString)(id => s"${number}_$id")
  def delta: String = s"$name.delta"
  def snapshot: String = s"$name.snapshot"
}

object StateVersion {
  val Empty: StateVersion = StateVersion(0, None)

  private val FileName = """(\d{1,18})(?:_([0-9a-f-]{36}))?\.(delta|snapshot)""".r

  /** The version and whether it is a snapshot; `None` for a file of another kind. */
  def parse(file: String): Option[(StateVersion, Boolean)] = file match {
    case FileName(number, uid, kind) =>
      Some((StateVersion(number.toLong, Option(uid).map(UUID.fromString)), kind == "snapshot"))
    case _ => None
  }
}
