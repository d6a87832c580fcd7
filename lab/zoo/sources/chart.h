/** @file */
namespace atlas {

/** Degrees to the north and east.
 *
 * | Member | Range       |
 * |--------|-------------|
 * | north  | -90 to 90   |
 * | east   | -180 to 180 |
 */
struct Place {
    double north; ///< Degrees to the north of the equator.
    double east;  ///< Degrees to the east of Greenwich.
};

/** A map with its layers.
 *
 * Maps are made by open() and freed when the last pointer goes.
 * @code
 * auto chart = atlas::Chart::open("harbour.atlas");
 * chart->add("buoys", atlas::Geometry::Point);
 * @endcode
 * @note Locks do not work on NFS before version 4.
 */
class Chart {
public:
    /** What a layer consists of. */
    enum Geometry {
        Point,   ///< One place.
        Line,    ///< Two places or more.
        Polygon  ///< A ring, which is closed by itself.
    };

    /** Opens a file and locks it.
     * @param path the file, which must exist
     * @param timeout seconds to wait for the lock
     * @return the map, or `nullptr` if the lock is not free
     */
    static Chart *open(const char *path, double timeout = 5.0);

    /** Adds an empty layer.
     * @param name unique in the map
     * @param geometry of all of its features
     * @retval true the layer is new
     * @retval false there is one of this name
     */
    bool add(const char *name, Geometry geometry = Point);

    /** Metres along the great circle.
     * @since 4.1
     */
    double distance(const Place &from, const Place &to) const;

    /** The largest number of layers. */
    static const int max_layers = 1000;
};

}
