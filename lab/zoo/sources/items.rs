/// A place on Earth, in degrees.
///
/// ```
/// let turku = Place { latitude: 60.45, longitude: 22.27 };
/// ```
pub struct Place {
    /// Degrees to the north of the equator.
    pub latitude: f64,
    /// Degrees to the east of Greenwich.
    pub longitude: f64,
}

impl Place {
    /// Metres along the great circle to another place.
    pub fn distance(&self, other: &Place) -> f64 { self.latitude - other.latitude }
}

/// Why a map could not be opened.
pub enum OpenError {
    /// Somebody else holds the lock.
    Locked,
    /// There is no such file, and the mode is `"r"`.
    Missing,
}
