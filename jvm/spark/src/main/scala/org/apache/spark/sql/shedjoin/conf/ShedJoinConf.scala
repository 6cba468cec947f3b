package org.apache.spark.sql.shedjoin.conf

import org.apache.spark.sql.internal.SQLConf

/** The options in the conf of a session, as entries that Spark knows and checks when they are set. */
object ShedJoinConf {

  /** Makes the registry's options known to Spark, once a JVM. */
  def register(): Unit = synchronized {
    ShedJoinRegistry.all.filter(_.ways(AskedBy.Conf)).foreach { option =>
      val key = ShedJoinRegistry.confKey(option.name)
      if (!SQLConf.containsConfigKey(key)) {
        SQLConf
          .buildConf(key)
          .doc(s"${option.doc} Default: ${option.default}.")
          .version("0.1.0")
          .stringConf
          .transform { text => option.parse(text, AskedBy.Conf); text }
          .createOptional
      }
    }
  }

  /** Whether the session asks for every join of two streams. */
  def enabled(conf: SQLConf): Boolean = {
    val option = ShedJoinRegistry.enabled
    Option(conf.getConfString(ShedJoinRegistry.confKey(option.name), null)).exists(option.parse(_, AskedBy.Conf))
  }

  /** The options set in a session, by name; refuses unknown ones. */
  def settings(conf: SQLConf): Map[String, String] = conf.getAllConfs.collect {
    case (key, value) if key.startsWith(ShedJoinRegistry.confPrefix) =>
      ShedJoinRegistry.find(key.stripPrefix(ShedJoinRegistry.confPrefix), AskedBy.Conf).name -> value
  }
}
