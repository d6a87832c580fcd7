package atlas.core;

/**
 * A map with its layers. Maps are opened with {@link #open}, and closed by
 * {@code try}.
 *
 * <p>Files have these parts:
 * <table>
 * <caption>Parts of a file</caption>
 * <tr><th scope="col">Part</th><th scope="col">Bytes</th>
 * <th scope="col">Since</th></tr>
 * <tr><th scope="row">head</th><td>512</td><td>3.0</td></tr>
 * <tr><th scope="row">layers</th><td>any</td><td>3.0</td></tr>
 * <tr><th scope="row">index</th><td></td><td>4.1</td></tr>
 * </table>
 *
 * <pre>{@code
 * try (Chart chart = Chart.open(Path.of("harbour.atlas"))) {
 *     System.out.println(chart.layers().size());
 * }
 * }</pre>
 *
 * @since 4.0
 * @see Layer
 */
public class Chart implements AutoCloseable {
    /** The largest number of layers. */
    public static final int MAX_LAYERS = 1000;

    /** Makes an empty map without a file. */
    public Chart() {}

    /**
     * Opens a file and locks it.
     *
     * @param path the file; it must exist
     * @return the map
     * @throws IllegalStateException if the lock is not free within five seconds
     */
    public static Chart open(java.nio.file.Path path) { return new Chart(); }

    /**
     * Layers in the order in which they are drawn.
     *
     * @return a list that cannot be changed
     */
    public java.util.List<Layer> layers() { return java.util.List.of(); }

    /**
     * Draws what lies between two corners.
     *
     * @param west degrees, -180 to 180
     * @param south degrees, -90 to 90
     * @param east degrees, more than {@code west}
     * @param north degrees, more than {@code south}
     * @return a PNG
     * @deprecated Use {@link Layer}.
     */
    @Deprecated
    public byte[] render(double west, double south, double east, double north) {
        return null;
    }

    @Override
    public void close() {}

    /** Features of the same geometry, drawn in one style. */
    public static class Layer {
        /** Unique in the map. */
        public String name;
        /** Whether it is drawn; {@code true} by default. */
        public boolean visible;
        /** The zoom from which it is drawn, 0 to 22. */
        public int minZoom;
    }
}
