package shedjoin.sim.serve

import java.util.{Map => JMap}

import scala.jdk.CollectionConverters._

import shedjoin.sim.cache.CacheRun

/** What Python calls for caches. */
object CacheEntry {

  /** A cache for the references in the column `value` of a file; throws where the policy can not be. */
  def run(path: String, rows: Int, policy: String, settings: JMap[String, String], seed: Long): CacheRun =
    new CacheRun(ArrowFiles.readLongs(path, "value"), rows, policy, settings.asScala.toMap, seed)

  /** Writes whether each reference was a hit. */
  def writeHits(run: CacheRun, path: String): Unit = ArrowFiles.write(path, Column.Bytes("hit", run.hits))
}
