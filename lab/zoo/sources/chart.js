/**
 * A map with its layers.
 *
 * Maps are opened with {@link openMap}, never with `new`.
 * @example
 * const chart = openMap('harbour.atlas');
 * chart.addLayer('buoys', {geometry: 'point'});
 */
class Chart {
  /**
   * Adds an empty layer.
   * @param {string} name - Unique in the map.
   * @param {object} [options] - What is not the same for all layers.
   * @param {string} [options.geometry=point] - `point`, `line` or `polygon`.
   * @param {boolean} [options.visible=true] - Whether it is drawn.
   * @param {number} [options.maxZoom=22]
   * @returns {Layer} The new layer.
   * @throws {Error} If there is a layer of this name.
   */
  addLayer(name, options) {}

  /**
   * Draws what lies between two corners.
   * @param {number[]} bounds - West, south, east, north.
   * @param {number} [dpi=96]
   * @returns {Promise<Blob>} A PNG.
   */
  render(bounds, dpi) {}

  /** Frees the lock. */
  close() {}
}

/**
 * Features of the same geometry, drawn in one style.
 * @property {string} name
 * @property {boolean} visible - `true`, or one of the words that files may have for it.
 * @property {number} [minZoom=0]
 */
class Layer {
  /**
   * Features in a rectangle, in the order of their addition.
   * @param {number[]} bounds
   * @yields {Feature}
   * @since 4.1
   */
  *within(bounds) {}
}
