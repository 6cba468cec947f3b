package shedjoin.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Words in a byte array, in the machine's order. */
public final class Bytes {
  private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Bytes() {}

  public static int getInt(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  public static void putInt(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  public static long getLong(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  public static void putLong(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }

  /** Eight bytes as a number that, unsigned, compares as they do one after the other. */
  public static long getComparable(byte[] bytes, int offset) {
    return (long) BIG_ENDIAN_LONG.get(bytes, offset);
  }

  /** A hash of {@code length} bytes, the same on every machine of one byte order. O(length). */
  public static int hash(byte[] bytes, int offset, int length) {
    long h = length * 0x9E3779B97F4A7C15L;
    int end = offset + (length & ~7);
    int at = offset;
    for (; at < end; at += 8) {
      h = mix(h ^ getLong(bytes, at));
    }
    for (end = offset + length; at < end; at++) {
      h = mix(h ^ bytes[at]);
    }
    return (int) (h ^ (h >>> 32));
  }

  /** Another word for each word, whose bits depend on all bits of the first; {@link #gather} gives that back. */
  public static long scatter(long word) {
    long h = word * 0xBF58476D1CE4E5B9L;
    h = (h ^ (h >>> 32)) * 0x94D049BB133111EBL;
    return h ^ (h >>> 32);
  }

  /** The word that {@link #scatter} made this one of. */
  public static long gather(long scattered) {
    long h = (scattered ^ (scattered >>> 32)) * 0x319642B2D24D8EC3L;
    return (h ^ (h >>> 32)) * 0x96DE1B173F119089L;
  }

  private static long mix(long word) {
    long h = word * 0xBF58476D1CE4E5B9L;
    return (h ^ (h >>> 29)) * 0x94D049BB133111EBL ^ (h >>> 32);
  }
}
