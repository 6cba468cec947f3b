package org.apache.spark.sql.shedjoin.exec

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.shedjoin.store.ShedStateStoreProvider

/** The conf of one operator: the session's, but with our state store.
  *
  * Shared by the copies of an operator that planning a batch makes, as each would copy some thousand entries.
  */
final class OperatorConfs extends Serializable {
  @transient private var own: SQLConf = _

  def of(session: SQLConf): SQLConf = synchronized {
    if (own == null) {
      own = session.clone()
      own.setConf(SQLConf.STATE_STORE_PROVIDER_CLASS, classOf[ShedStateStoreProvider].getName)
    }
    own
  }
}
