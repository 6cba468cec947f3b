package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.internal.SQLConf

/** The options of one join as they hold: the nearest of call, hint, session conf and default.
  *
  * @param memory
  *   the bytes that the state may take over all partitions; unbounded where absent
  * @param onPressure
  *   what happens when they are full
  * @param askedBy
  *   the nearest way in which ShedJoin was asked for
  */
final case class ShedJoinOptions(
    enabled: Boolean,
    memory: Option[Long],
    onPressure: String,
    name: Option[String],
    askedBy: AskedBy
) {

  /** One text for plans: every option that holds. */
  def describe: String = {
    val shown = name.map("name=" + _) ++ memory.map(bytes => s"memory=$bytes bytes") ++
      memory.map(_ => s"onPressure=$onPressure") ++ Some(s"askedBy=$askedBy")
    shown.mkString("[", ", ", "]")
  }
}

object ShedJoinOptions {

  /** The options that hold for a join: what was `asked` of it by name, then the session's conf, then the default. */
  def resolve(asked: Option[AskedOptions], conf: SQLConf): ShedJoinOptions = {
    val layers = Seq(
      AskedBy.Call -> asked.flatMap(_.call),
      AskedBy.Hint -> asked.flatMap(_.hint),
      AskedBy.Conf -> Some(ShedJoinConf.settings(conf))
    )
    def value[T](option: OptionSpec[T]): Option[T] = layers.collectFirst {
      case (way, Some(texts)) if texts.contains(option.name) => option.parse(texts(option.name), way)
    }
    val byName = layers.collectFirst { case (way, Some(texts)) if way.byName => (way, texts) }
    ShedJoinOptions(
      enabled = byName.fold(value(ShedJoinRegistry.enabled).getOrElse(false)) { case (way, texts) =>
        texts.get(ShedJoinRegistry.enabled.name).forall(ShedJoinRegistry.enabled.parse(_, way))
      },
      memory = value(ShedJoinRegistry.memory),
      onPressure = value(ShedJoinRegistry.onPressure).getOrElse(ShedJoinRegistry.onPressure.default),
      name = value(ShedJoinRegistry.name),
      askedBy = byName.fold[AskedBy](AskedBy.Conf)(_._1)
    )
  }
}
