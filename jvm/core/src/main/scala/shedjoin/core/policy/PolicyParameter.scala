package shedjoin.core.policy

/** One setting of a policy: its name, what it may be, what it is if nothing is said, and what it does. */
final case class PolicyParameter[T](name: String, kind: ParameterKind[T], default: String, doc: String)

/** What texts a parameter takes, and what they stand for. */
abstract class ParameterKind[T](val allowed: String) {

  /** The value, or nothing where the text is none. */
  def parse(text: String): Option[T]
}

object ParameterKind {

  final case class Number(from: Double, to: Double) extends ParameterKind[Double](s"a number from $from to $to") {
    def parse(text: String): Option[Double] = text.toDoubleOption.filter(x => x >= from && x <= to)
  }

  final case class Whole(from: Long, to: Long) extends ParameterKind[Long](s"a whole number from $from to $to") {
    def parse(text: String): Option[Long] = text.toLongOption.filter(x => x >= from && x <= to)
  }

  case object Numbers extends ParameterKind[Array[Double]]("numbers of at least 0, with spaces between them") {
    def parse(text: String): Option[Array[Double]] = {
      val parsed = text.split("\\s+").filter(_.nonEmpty).map(_.toDoubleOption)
      Option.when(parsed.forall(_.exists(x => x >= 0 && !x.isInfinite)))(parsed.flatten)
    }
  }

  /** A number, or nothing where it is to be learned. */
  final case class NumberOrLearned(from: Double, to: Double)
      extends ParameterKind[Option[Double]](s"a number from $from to $to, or learned") {
    def parse(text: String): Option[Option[Double]] =
      if (text == "learned") Some(None) else Number(from, to).parse(text).map(Some(_))
  }

  final case class Choice(names: String*) extends ParameterKind[String](names.mkString(" or ")) {
    def parse(text: String): Option[String] = names.find(_ == text)
  }
}
